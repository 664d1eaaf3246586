// What the binary wrote into the page (reports/page_data.cc, reports/lane_json.cc), and how to unpack it.

export interface Manifest {
  kind: string;
  scenario: string;
  scenario_hash: string;
  seeds: string;
  start: string;
  version: string;
  commit: string;
  compiler: string;
  trace_hash: string;
  outcome: string;
  verdict: string;
  policies: string[];
  events: number;
  transitions: number;
  world_ms: number;
  wall_ms: number;
}

/** A row of a csv: texts by the column's name. */
export type CsvRow = Readonly<Record<string, string>>;

/** A column of curves.csv that the page reads; all are numbers. */
export type CurveColumn =
  | 'time_ms' | 'stored_bytes' | 'live_bytes' | 'in_flight_bytes' | 'expired_bytes' | 'unreferenced_bytes'
  | 'dangling_bytes' | 'deleting_bytes' | 'stuck_bytes' | 'orphan_bytes' | 'upload_parts_bytes' | 'waste_bytes'
  | 'garbage_bytes' | 'garbage_count' | 'metric_dangling_count' | 'metric_dangling_bytes' | 'copy_lag_bytes'
  | 'active_faults' | 'deleting_failed_bytes' | 'garbage_bytes_max' | 'ghost_count' | 'ghost_claimed_bytes';

export type Curves = Readonly<Record<CurveColumn, number[]>> & {
  readonly row_count: number;
  /** Columns that nobody knows: what stands in them is no number. */
  readonly unknown: readonly CurveColumn[];
};

export interface Cause {
  fault: string;
  step: string;
  state: string;
  copies: number;
  ghosts: number;
  bytes: number;
  first_ms: number;
  last_reclaimed_ms: number | null;
  left: number;
  last_due_ms: number | null;
  never: number;
  removed: [who: string, count: number][];
  due: [who: string, count: number][];
}

export interface FaultWindow {
  name: string;
  kind: string;
  start: number;
  end: number;
  hits: number;
  row: CsvRow;
}

export interface Run {
  label: string;
  folder: string;
  scenario: number;
  clause: string;
  time_to_reclaim: string;
  last_fault: string;
  last_fault_end_ms: number;
  manifest: Manifest;
  summary: CsvRow;
  faults: FaultWindow[];
  violations: CsvRow[];
  /** Of an import: what is wrong, errors and the most bytes first. */
  findings: CsvRow[];
  findings_left_out: number;
  /** Of all topics together. */
  curves: Curves;
  /** Those that have curves of their own on the page; none where there is only one. */
  topics: string[];
  topics_left_out: number;
  causes: Cause[];
  files: [name: string, bytes: number][];
  lanes: {
    shown: number;
    copies_left_out: number;
    leftovers_left_out: number;
    folded: number;
    steps_left_out: number;
    leader_changes_left_out: number;
    has_transitions: boolean;
    has_calls: boolean;
  };
}

export interface Folder {
  path: string;
  reproduce: string;
  manifest: Manifest;
  rows: CsvRow[];
  comparison: Comparison | null;
  campaign: Campaign | null;
}

export type Standing = 'unexpected' | 'known' | 'expected';

/** Failures of a campaign with one signature; parts of it that do not apply are `-`. */
export interface Failure {
  policy: string;
  invariant: string;
  states: string;
  fault: string;
  standing: Standing;
  count: number;
  /** The one with the fewest events. */
  seed: number;
  events: number;
  folder: string;
  message: string;
  /** Kinds of fault that had an effect in each of them, joined with blanks. */
  common: string;
}

export interface Campaign {
  policies: {policy: string; clean: number; leak: number; loss: number; failed: number}[];
  failures: Failure[];
  failures_left_out: number;
  goals: [kind: string, name: string, times: number, runs: number][];
}

export interface Comparison {
  /** As compare.csv has it. */
  baseline: string;
  /** Rows of compare.csv. Of `compare` each pair once, whichever policy is `policy_a`. */
  pairs: CsvRow[];
}

export interface Scenario {
  text: string;
  plan: string;
  changes: [section: string, key: string, value: string, initial: string, help: string][];
}

export interface Page {
  headline: string;
  /** Places in `runs`, the best first. */
  order: number[];
  runs_left_out: number;
  folders: Folder[];
  runs: Run[];
  scenarios: Scenario[];
}

/** A part of the page as the binary packed it: gzip in base64. Nothing leaves the file. */
export async function unpack(id: string): Promise<unknown> {
  const text = atob(document.getElementById(id)?.textContent ?? '');
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

/** Turns a column of differences into values, in place. */
export function addUp(column: number[]): number[] {
  let value = 0;
  for (let i = 0; i < column.length; ++i) column[i] = value += column[i]!;
  return column;
}

type PackedRun = Omit<Run, 'faults' | 'summary'> & {faults: CsvRow[]; summary: CsvRow[]};

export async function readPage(): Promise<Page> {
  const packed = (await unpack('core')) as Omit<Page, 'runs'> & {runs: PackedRun[]};
  const runs = packed.runs.map(readRun);
  tellApart(runs);
  return {...packed, runs};
}

/** Runs of one policy from several folders or seeds: their labels get what differs. */
function tellApart(runs: Run[]): void {
  const differ = (twins: Run[], text: (run: Run) => string): boolean => new Set(twins.map(text)).size === twins.length;
  const ways: ((run: Run) => string)[] = [
    (run) => run.manifest.scenario, (run) => `seed ${run.summary['seed']}`, (run) => `${run.manifest.scenario}, seed ${run.summary['seed']}`,
    (run) => run.folder,
  ];
  for (const label of new Set(runs.map((run) => run.label))) {
    const twins = runs.filter((run) => run.label === label);
    const way = twins.length > 1 ? ways.find((text) => differ(twins, text)) : undefined;
    if (way) for (const run of twins) run.label = `${label} (${way(run)})`;
  }
}

function addUpAll(curves: Curves): Curves {
  for (const [name, column] of Object.entries(curves)) {
    if (name !== 'row_count' && name !== 'unknown') addUp(column as number[]);
  }
  return curves;
}

/** The curves of a run's topics, in the order of their names. */
export async function readTopics(run: number): Promise<Curves[]> {
  return ((await unpack(`topics-${run}`)) as Curves[]).map(addUpAll);
}

function readRun(packed: PackedRun): Run {
  addUpAll(packed.curves);
  const faults = packed.faults.map((row) => ({
    name: row['fault'] || row['name'] || row['kind'] || '',
    kind: row['kind'] ?? '',
    start: Number(row['start_ms']),
    end: Number(row['end_ms']),
    hits: Number(row['hits']),
    row,
  }));
  return {...packed, faults, summary: packed.summary[0] ?? {}};
}

/** Whether this is what a cluster's metadata topic recorded, and not a run. */
export function isImport(run: Run): boolean {
  return run.manifest.kind === 'import';
}

/** The place of the last row at or before a time; -1 before the first. */
export function rowAt(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
