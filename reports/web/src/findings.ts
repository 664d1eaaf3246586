// What an import found: a row a kind, and the findings themselves, the gravest and greatest first.
import type {CsvRow, Run} from './data';
import {el, section, table} from './dom';
import {bytes, clockTime, count} from './format';
import type {State} from './state';

const shown = 60;

/** Milliseconds since 1970, as findings.csv has them. */
function timeText(text: string | undefined): string {
  return text ? clockTime('1970-01-01T00:00:00Z', Number(text)).slice(0, 16) : '';
}

function due(row: CsvRow): string {
  if (row['due_by'] === 'none') return 'never';
  return row['due_ms'] ? `${timeText(row['due_ms'])} (${row['due_by']})` : row['due_by'] || 'not known';
}

function place(row: CsvRow): string {
  return row['topic'] ? `${row['topic']}-${row['partition']}` : '';
}

function rowOf(row: CsvRow, state: State): HTMLTableRowElement {
  const id = row['segment_id'] ?? '';
  return el('tr', {'data-finding': row['finding'] ?? ''},
    el('th', {scope: 'row'}, row['finding'] ?? '', el('small', {}, ` ${row['severity']}`)),
    el('td', {}, place(row), id === '' ? null : el('button', {type: 'button', class: 'plain link', title: 'Show its lane', onclick: () => {
      state.show({kind: 'text', text: id});
      document.getElementById('lanes')?.scrollIntoView();
    }}, ` ${id}`)),
    el('td', {}, row['advice'] ?? ''), el('td', {class: 'state'}, row['state'] ?? ''), el('td', {class: 'n'}, row['bytes'] ? bytes(Number(row['bytes'])) : '–'),
    el('td', {}, timeText(row['since_ms'])), el('td', {}, id === '' ? '' : due(row)),
    el('td', {class: 'wide'}, el('div', {class: 'clamped', title: row['detail'] ?? ''}, row['detail'] ?? '')));
}

function bodyOf(run: Run, state: State): HTMLElement {
  if (run.findings.length === 0) return el('p', {class: 'note'}, 'Nothing is wrong, as far as the dump tells.');
  const first = run.findings.slice(0, shown);
  const left = run.findings.length - first.length + run.findings_left_out;
  return el('div', {},
    table(['finding', 'copy', 'advice', 'state', {right: 'bytes'}, 'since', 'due', 'why'], first.map((row) => rowOf(row, state)), {class: 'figures'}),
    left > 0 ? el('p', {class: 'note'}, `${count(left)} more are in findings.csv.`) : null);
}

export function findings(state: State): HTMLElement {
  const body = el('div', {});
  const draw = (): void => body.replaceChildren(bodyOf(state.page.runs[state.run]!, state));
  state.on('run', draw);
  draw();
  return section('findings', 'Findings',
    el('p', {class: 'says'}, 'What the dump, and the listing if there was one, show to be wrong. Bytes are a listing’s, or what the metadata claims of the log files: what failed half-way may hold less.'), body);
}
