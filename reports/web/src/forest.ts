// A comparison: what each policy cost more or less than the baseline under the same seeds, with 95 % intervals.
import type {Comparison, CsvRow, Folder} from './data';
import {el, section} from './dom';
import {bytes, count} from './format';
import {unbroken} from './head';
import {metrics, signed, type Metric} from './metrics';

/** The pair turned so that `baseline` is the first of it: b - a is a - b with the other sign. */
function turned(row: CsvRow): CsvRow {
  const minus = (text: string | undefined): string => (text === undefined || text === '' ? '' : String(0 - Number(text)));
  return {
    ...row, policy_a: row['policy_b']!, policy_b: row['policy_a']!, mean_a: row['mean_b']!, mean_b: row['mean_a']!,
    mean_difference: minus(row['mean_difference']), ci95_low: minus(row['ci95_high']), ci95_high: minus(row['ci95_low']),
    median_difference: minus(row['median_difference']), share_reclaimed_a: row['share_reclaimed_b']!,
    share_reclaimed_b: row['share_reclaimed_a']!,
  };
}

/** The rows of each policy against the baseline. */
function against(comparison: Comparison, baseline: string): Map<string, CsvRow[]> {
  const found = new Map<string, CsvRow[]>();
  for (const row of comparison.pairs) {
    const own = row['policy_a'] === baseline ? row : row['policy_b'] === baseline ? turned(row) : null;
    if (own) found.set(own['policy_b']!, [...(found.get(own['policy_b']!) ?? []), own]);
  }
  return found;
}

function policiesOf({pairs}: Comparison): string[] {
  return [...new Set(pairs.flatMap((row) => [row['policy_a']!, row['policy_b']!]))];
}

/** The policies that every other one is paired with. */
function baselinesOf(comparison: Comparison): string[] {
  const policies = policiesOf(comparison);
  return policies.filter((policy) => against(comparison, policy).size === policies.length - 1);
}

/** A line from bound to bound and a dot at the mean, over a zero line that all rows share. */
function plot(mean: number, low: number, high: number, reach: number): HTMLElement {
  const at = (value: number): string => `${50 + (reach > 0 ? (value / reach) * 46 : 0)}%`;
  const side = high < 0 ? 'less' : low > 0 ? 'more' : 'even';
  const line = el('span', {class: 'interval'});
  line.style.left = at(low);
  line.style.right = `calc(100% - ${at(high)})`;
  const dot = el('span', {class: 'dot'});
  dot.style.left = at(mean);
  return el('div', {class: `forest-plot ${side}`, 'aria-hidden': 'true'}, el('span', {class: 'zero'}), line, dot);
}

/** Half the width of a metric's scale: one for all cards, so that they can be compared. */
function reachOf(metric: string, rows: readonly CsvRow[]): number {
  const own = rows.filter((row) => row['metric'] === metric);
  return Math.max(0, ...own.flatMap((row) => ['ci95_low', 'ci95_high', 'mean_a'].map((key) => Math.abs(Number(row[key])))));
}

function forestRow(metric: Metric, row: CsvRow, reach: number): HTMLElement {
  const [mean, low, high] = ['mean_difference', 'ci95_low', 'ci95_high'].map((key) => Number(row[key])) as [number, number, number];
  return el('div', {class: 'forest-row', 'data-metric': metric.column, 'data-a': row['policy_a'], 'data-b': row['policy_b'], 'data-mean': mean,
    'data-low': low, 'data-high': high},
  el('span', {class: 'what'}, metric.name), plot(mean, low, high, reach),
  el('span', {class: 'n'}, signed(metric, mean), el('small', {}, `${signed(metric, low)} to ${signed(metric, high)}`)));
}

function block(baseline: string, policy: string, rows: readonly CsvRow[], all: readonly CsvRow[]): HTMLElement {
  const find = (metric: string): CsvRow | undefined => rows.find((row) => row['metric'] === metric);
  const lines = metrics.flatMap((metric) => {
    const row = find(metric.column);
    return row && row['mean_difference'] !== '' ? [forestRow(metric, row, reachOf(metric.column, all))] : [];
  });
  const reclaim = find('reclaim_ms');
  const share = (key: string): string => `${Math.round(Number(reclaim?.[key] ?? 0) * 100)} %`;
  return el('article', {class: 'card forest'},
    el('h3', {}, policy, el('small', {}, ` against ${baseline}, ${count(Number(rows[0]?.['n'] ?? 0))} pairs`)),
    ...lines,
    reclaim ? el('p', {class: 'note'}, `Clean again before the world ended: ${share('share_reclaimed_b')} of the runs, against ${share('share_reclaimed_a')}.`) : null);
}

/** Of whom the headline speaks: the KIP's policy, else the last. */
function subjectOf(blocks: ReadonlyMap<string, CsvRow[]>): string | undefined {
  return blocks.has('kip-dangling') ? 'kip-dangling' : [...blocks.keys()].at(-1);
}

/** What the comparison shows, in one sentence. */
function headlineOf(blocks: ReadonlyMap<string, CsvRow[]>, baseline: string): string {
  const policy = subjectOf(blocks);
  const row = policy ? blocks.get(policy)!.find((each) => each['metric'] === 'peak_garbage_bytes') : undefined;
  if (!policy || !row || row['mean_difference'] === '') return '';
  const value = (column: string): number => Number(row[column]);
  const [difference, low, high] = [value('mean_difference'), value('ci95_low'), value('ci95_high')];
  const peaks = `Over ${row['n']} seeds garbage peaked at ${bytes(value('mean_b'))} under ${policy} and at ${bytes(value('mean_a'))} under ${baseline}, the baseline`;
  if (low === 0 && high === 0) return `${peaks}; there is no difference.`;
  if (low <= 0 && high >= 0) {
    const bound = (bytesMore: number): string => (bytesMore > 0 ? `+${bytes(bytesMore)}` : bytes(bytesMore));
    return `${peaks}; the difference may be chance (95 % interval ${bound(low)} to ${bound(high)}).`;
  }
  const [near, far] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))];
  return `${peaks}: ${bytes(Math.abs(difference))} ${difference < 0 ? 'less' : 'more'} (95 % interval ${bytes(near)} to ${bytes(far)}).`;
}

/** The differences of one folder; `onHeadline` hears their sentence whenever another baseline is taken. */
export function forest(folder: Folder, id: string, title: string, onHeadline: (text: string) => void): HTMLElement {
  const comparison = folder.comparison!;
  const cards = el('div', {class: 'cards'});
  const baselines = baselinesOf(comparison);
  const select = el('select', {class: 'baseline', onchange: () => draw()}, ...baselines.map((policy) => el('option', {value: policy}, policy)));
  select.value = comparison.baseline;

  function draw(): void {
    const baseline = select.value;
    const blocks = against(comparison, baseline);
    const all = [...blocks.values()].flat();
    const subject = subjectOf(blocks);
    const order = [...blocks].sort(([a], [b]) => Number(b === subject) - Number(a === subject));
    cards.replaceChildren(...order.map(([policy, rows]) => block(baseline, policy, rows, all)));
    onHeadline(unbroken(headlineOf(blocks, baseline)));
  }

  draw();
  return section(id, title,
    el('p', {class: 'says'}, 'Each row has its own scale, the same on all cards and at least as wide as the baseline’s mean: the dot is the mean of the paired differences, the bar its 95 % interval, ',
      'the line in the middle is no difference. Left and blue: less than the baseline; right and orange: more; grey and hollow: it may be either, or there is none.'),
    el('p', {class: 'bar left'}, el('label', {class: 'check'}, 'Baseline ', baselines.length > 1 ? select : el('b', {}, comparison.baseline)),
      baselines.length < policiesOf(comparison).length ? el('small', {}, 'Only this one was compared with the others.') : null),
    cards);
}
