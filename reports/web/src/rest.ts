// Violations, the scenario, the files: what stands at the end of the page.
import type {CsvRow, Manifest, Run} from './data';
import {el, section, table} from './dom';
import {bytes, count, duration, worldTime} from './format';
import type {State} from './state';

function violationTable(rows: readonly CsvRow[]): HTMLElement {
  return table(['first broken', 'invariant', 'subject', 'what was found', {right: 'event'}], rows.map((row) => el('tr', {},
    el('td', {class: 'time'}, worldTime(Number(row['time_ms']))), el('th', {scope: 'row'}, row['invariant'] ?? ''),
    el('td', {}, row['subject'] ?? ''), el('td', {class: 'wide'}, row['detail'] ?? ''), el('td', {class: 'n'}, count(Number(row['event'])))),
  ), {class: 'figures'});
}

function violationsOf(run: Run): HTMLElement {
  const unexpected = run.violations.filter((row) => row['expected'] !== 'yes');
  const expected = run.violations.filter((row) => row['expected'] === 'yes');
  return el('div', {},
    unexpected.length > 0 ? violationTable(unexpected)
      : el('p', {class: 'says'}, `${run.label} broke ${expected.length > 0 ? 'only what the scenario expects' : 'no invariant'}.`),
    expected.length > 0
      ? el('details', {}, el('summary', {}, `${count(expected.length)} expected`), violationTable(expected)) : null);
}

export function violations(state: State): HTMLElement {
  const body = el('div', {});
  const draw = (): void => body.replaceChildren(violationsOf(state.page.runs[state.run]!));
  state.on('run', draw);
  draw();
  return section('violations', 'Broken invariants', body);
}

function manifestTable(manifest: Manifest): HTMLElement {
  const rows: [string, string][] = [
    ['world', `${duration(manifest.world_ms)} from ${manifest.start}`],
    ['seed', manifest.seeds], ['trace hash', manifest.trace_hash], ['scenario hash', manifest.scenario_hash],
    ['events', count(manifest.events)], ['transitions', count(manifest.transitions)], ['wall time', duration(manifest.wall_ms)],
    ['flotsam', `${manifest.version}, ${manifest.commit}, ${manifest.compiler}`], ['verdict', `${manifest.verdict} (${manifest.outcome})`],
  ];
  return el('dl', {class: 'facts'}, ...rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

const fileWords: Record<string, string> = {
  'manifest.json': 'what this folder holds and what made it', 'runs.csv': 'a row a run', 'summary.csv': 'amounts, costs, outcome',
  'scenario.ini': 'the scenario, whole', 'faults.plan.csv': 'the fault plan', 'faults.csv': 'when each fault was in force, and its hits',
  'violations.csv': 'broken invariants', 'curves.csv': 'bytes by class over time', 'leftovers.csv': 'each copy that left something',
  'metrics.csv': 'the KIP\'s metrics as brokers set them', 'transitions.csv': 'every change of a state',
  'dropped.csv': 'changes that were ignored as illegal', 'findings.csv': 'what is wrong, and what to do', 'initial.csv': 'the copies that the scenario begins with', 'events.csv': 'requests, publishes, tasks, leaders, crashes',
};

function filesOf(run: Run): HTMLElement {
  return table([`${run.folder}/`, {right: 'size'}, ''], run.files.filter(([name]) => !name.startsWith('report.')).map(([name, size]) =>
    el('tr', {}, el('th', {scope: 'row'}, el('code', {}, name)), el('td', {class: 'n'}, bytes(size)), el('td', {}, fileWords[name] ?? ''))), {class: 'figures files'});
}

export function scenario(state: State): HTMLElement {
  const body = el('div', {});
  const draw = (): void => {
    const run = state.page.runs[state.run]!;
    const own = state.page.scenarios[run.scenario];
    const words = own?.changes.filter(([section]) => section === 'scenario') ?? [];
    const told = new Map(words.map(([, key, value]) => [key, value]));
    const keys = own?.changes.filter(([section, key]) => section !== 'scenario' || !['name', 'title', 'description', 'source'].includes(key)) ?? [];
    body.replaceChildren(
      el('p', {class: 'says'}, el('b', {}, told.get('title') ?? run.manifest.scenario), '. ', told.get('description') ?? ''),
      told.has('source') ? el('p', {class: 'note'}, `Source: ${told.get('source')}`) : '',
      table(['changed key', 'value', 'default', ''], keys.map(([section, key, value, initial, help]) => el('tr', {},
        el('th', {scope: 'row'}, el('code', {}, el('small', {}, `${section}.`), key), el('small', {class: 'help'}, help)), el('td', {class: 'value'}, value), el('td', {class: 'quiet'}, initial), el('td', {class: 'quiet'}, help))), {class: 'figures keys'}),
      el('details', {}, el('summary', {}, 'Faults, as planned'), el('pre', {}, own?.plan ?? '')),
      el('details', {}, el('summary', {}, 'Whole scenario, every key'), el('pre', {}, own?.text ?? '')),
      el('h3', {}, 'Manifest'), manifestTable(run.manifest), el('h3', {}, 'Files'), filesOf(run));
  };
  state.on('run', draw);
  draw();
  return section('scenario', 'Scenario', body);
}

const glossary: [word: string, means: string][] = [
  ['garbage', 'stored because a failure left it: dangling, stuck, orphan, upload parts, and deletions that follow a failure'],
  ['waste', 'stored and of no use to anybody: all but live and in flight'],
  ['byte-hours', 'amount times time: 1 GiB that lies for 2 hours is 2 GiB'],
  ['live', 'of a finished copy that retention keeps and a reader can find'],
  ['in flight', 'of an upload that a task still works on'],
  ['expired', 'of a finished copy that retention may remove'],
  ['unreferenced', 'of a finished copy that no lookup finds any more'],
  ['dangling', 'of a failed copy that waits for a sweep'],
  ['deleting', 'of a copy that a task has decided to delete'],
  ['stuck', 'of an unfinished entry that no task works on'],
  ['orphan', 'that no entry of the metadata topic names'],
  ['upload parts', 'of a multipart upload that nobody will complete'],
  ['ghost', 'an unfinished entry without a stored byte, which the KIP’s metric counts all the same'],
  ['copy', 'one attempt to upload a segment, under an id of its own'],
  ['copy lag', 'closed segments on local disk that are not copied yet'],
];

export function words(): HTMLElement {
  return el('details', {id: 'words'}, el('summary', {}, 'Words'),
    el('dl', {class: 'facts'}, ...glossary.map(([word, means]) => el('div', {}, el('dt', {}, word), el('dd', {}, means)))));
}
