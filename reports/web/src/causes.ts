// Why the garbage was there: which fault, at which step, in which state; and what removed it.
import {isImport, type Cause, type Run} from './data';
import {el, section, table} from './dom';
import {bytes, clockTime, count, duration} from './format';
import type {State} from './state';

function who(pairs: Cause['removed']): string {
  if (pairs.length === 1) return pairs[0]![0] || 'nobody';
  return pairs.map(([name, times]) => `${name || 'nobody'} ${count(times)}`).join(', ');
}

function fate(cause: Cause): string {
  const words: string[] = [];
  if (cause.removed.length > 0) words.push(who(cause.removed));
  if (cause.never > 0) words.push(`never: ${count(cause.never)}`);
  const due = cause.left - cause.never;
  const unknown = cause.due.find(([name]) => name === '')?.[1] ?? 0;
  if (due > unknown) words.push(`due by ${who(cause.due.filter(([name]) => name !== 'none' && name !== ''))}: ${count(due - unknown)}`);
  if (unknown > 0) words.push(`not known: ${count(unknown)}`);
  return words.join('; ');
}

function when(cause: Cause, run: Run): string {
  if (isImport(run)) {
    const day = (ms: number): string => clockTime(run.manifest.start, ms).slice(0, 16);
    const end = cause.last_due_ms !== null ? `due ${day(cause.last_due_ms)}` : cause.never === cause.left ? 'for ever' : 'not known';
    return `${day(cause.first_ms)} – ${end}`;
  }
  const from = duration(cause.first_ms, 2);
  if (cause.left > 0) return `${from} – ${cause.last_due_ms === null ? 'for ever' : `due ${duration(cause.last_due_ms, 2)}`}`;
  return `${from} – ${cause.last_reclaimed_ms === null ? '' : duration(cause.last_reclaimed_ms, 2)}`;
}

function rowsOf(run: Run, state: State): HTMLTableRowElement[] {
  const order = run.causes.map((_, place) => place)
    .sort((a, b) => run.causes[b]!.bytes - run.causes[a]!.bytes || run.causes[b]!.ghosts - run.causes[a]!.ghosts);
  return order.map((place) => {
    const cause = run.causes[place]!;
    const chosen = state.filter.kind === 'cause' && state.filter.cause === place;
    return el('tr', {class: chosen ? 'chosen' : '', 'data-cause': place},
      el('th', {scope: 'row'}, el('button', {type: 'button', class: 'plain', 'aria-pressed': chosen, title: 'Show these copies as lanes',
        onclick: () => state.show(chosen ? {kind: 'all'} : {kind: 'cause', cause: place})}, cause.fault || 'no fault')),
      el('td', {}, cause.step), el('td', {class: 'state'}, cause.state),
      el('td', {class: 'n'}, bytes(cause.bytes)), el('td', {class: 'n'}, count(cause.copies)), el('td', {class: 'n'}, count(cause.ghosts)),
      el('td', {}, fate(cause)), el('td', {}, when(cause, run)));
  });
}

/** What all of them are together; each copy counts with the most it held, so this is no moment's amount. */
function sumRow(run: Run): HTMLTableRowElement {
  const sum = (value: (cause: Cause) => number): number => run.causes.reduce((total, cause) => total + value(cause), 0);
  return el('tr', {class: 'sum'}, el('th', {scope: 'row'}, 'all'), el('td', {}), el('td', {}),
    el('td', {class: 'n'}, bytes(sum((cause) => cause.bytes))), el('td', {class: 'n'}, count(sum((cause) => cause.copies))),
    el('td', {class: 'n'}, count(sum((cause) => cause.ghosts))), el('td', {}), el('td', {}));
}

/** Why the sum of the table is not the peak of the picture. */
function sumText(run: Run): string {
  const sum = run.causes.reduce((total, cause) => total + cause.bytes, 0);
  const peak = Number(run.summary['peak_garbage_bytes']);
  if (isImport(run) || bytes(sum) === bytes(peak)) return '';
  const both = `The sum, ${bytes(sum)}, counts each copy that ever left something, with the most that it held; the peak, ${bytes(peak)}, is what lay there at one moment.`;
  return sum > peak ? `${both} Not all of it lay there at once.` : both;
}

export function causes(state: State): HTMLElement {
  const body = el('div', {});
  const sums = el('p', {class: 'note'});
  function draw(): void {
    const run = state.page.runs[state.run]!;
    body.replaceChildren(run.causes.length === 0
      ? el('p', {class: 'note'}, run.files.some(([name]) => name === 'leftovers.csv')
        ? `${run.label} left nothing behind.` : 'This run kept no leftovers.csv (--keep curves has it).')
      : table([isImport(run) ? 'finding' : 'fault', 'at the step', 'left in state', {right: 'bytes'}, {right: 'copies'}, {right: 'ghosts'}, 'removed by', 'first – last'],
        run.causes.length > 1 ? [...rowsOf(run, state), sumRow(run)] : rowsOf(run, state), {class: 'figures'}));
    sums.textContent = sumText(run);
  }
  for (const topic of ['run', 'filter'] as const) state.on(topic, draw);
  draw();
  return section('why', 'Why',
    el('p', {class: 'says'}, 'The ways in which bytes or entries were left; bytes are the most that each copy held. Choose one to see its copies as lanes.'), body, sums);
}
