// The whole story of one copy: every transition and every request to the store, and what it left.
import {isImport, type Run} from './data';
import {el, table} from './dom';
import {bytes, clockTime, count, duration, worldTime} from './format';
import type {Lanes, Leftover, Step} from './lane_data';
import {stateLook} from './look';
import type {State} from './state';

function leftText(leftover: Leftover, run: Run): string {
  const cause = run.causes[leftover.cause];
  if (isImport(run)) {
    const start = run.manifest.start;
    const due = leftover.due !== null ? `due at ${clockTime(start, leftover.due)} by ${leftover.dueBy}`
      : leftover.dueBy === 'none' ? 'nothing will remove it' : 'nobody can say when it goes';
    return `Finding: ${cause?.fault ?? ''}, ${bytes(leftover.bytes)} at least, in this state since ${clockTime(start, leftover.became)}; ${due}.`;
  }
  const what = leftover.bytes > 0 ? `left ${bytes(leftover.bytes)}` : 'left an entry with no byte behind it (a ghost)';
  const why = cause ? ` because of ${cause.fault || 'no fault'} at the step ${cause.step}, in state ${cause.state}` : '';
  const end = leftover.reclaimed !== null
    ? `; ${leftover.reclaimedBy} removed it at ${worldTime(leftover.reclaimed)}, ${duration(leftover.reclaimed - leftover.became)} later`
    : leftover.due !== null ? `; still there at the end, due at ${worldTime(leftover.due)} by ${leftover.dueBy}`
      : '; still there at the end, and nothing will remove it';
  return `At ${worldTime(leftover.became)} it ${what}${why}${end}.`;
}

function timeCell(step: Step, state: State): HTMLElement {
  return el('td', {class: 'time', title: clockTime(state.start, step.time)}, worldTime(step.time),
    step.count > 1 ? el('small', {}, `and again until ${worldTime(step.lastTime)}`) : null);
}

function stateWord(name: string): HTMLElement {
  const word = el('span', {class: 'state'}, name || '(new)');
  if (name) word.style.setProperty('--own', stateLook(name).colour);
  return word;
}

function times(step: Step): string {
  return step.count > 1 ? ` × ${count(step.count)}` : '';
}

/** A row of transitions.csv; the attributes are its columns, word for word. */
function transitionRow(step: Step, state: State): HTMLTableRowElement {
  const [from, to, cause, broker, epoch, size] = step.words as [string, string, string, string, string, string];
  return el('tr', {class: 'transition', 'data-time_ms': step.time, 'data-event': step.event ?? '', 'data-from_state': from, 'data-to_state': to,
    'data-cause': cause, 'data-broker': broker, 'data-leader_epoch': epoch, 'data-size_bytes': size, 'data-count': step.count, 'data-last': step.lastTime},
    timeCell(step, state), el('td', {}, stateWord(from), ' → ', stateWord(to), times(step)),
    el('td', {}, cause), el('td', {class: 'n'}, broker), el('td', {class: 'n'}, step.event ? count(step.event) : ''));
}

function callRow(step: Step, state: State): HTMLTableRowElement {
  const [kind, object, , result, fault, size] = step.words as [string, string, string, string, string, string];
  return el('tr', {class: 'call', 'data-time_ms': step.time, 'data-count': step.count},
    timeCell(step, state), el('td', {}, `${kind} ${object}${size ? `, ${bytes(Number(size))}` : ''}${times(step)}`),
    el('td', {class: result === 'ok' ? '' : 'bad'}, result, fault ? ` (${fault})` : ''), el('td', {}), el('td', {}));
}

export function story(copy: number, lanes: Lanes, run: Run, state: State, close: () => void): HTMLElement {
  const transitions = lanes.transitions.of(copy);
  const calls = lanes.calls.of(copy);
  const rows = [
    ...transitions.map((step) => ({step, row: transitionRow(step, state)})),
    ...calls.map((step) => ({step, row: callRow(step, state)})),
  ].sort((a, b) => a.step.time - b.step.time);
  const [first, last] = lanes.offsets(copy);
  const size = Number(transitions[0]?.words[5] ?? 0);
  const leftover = lanes.leftovers.get(copy);
  const leftOut = (lanes.transitions.leftOut.get(copy) ?? 0) + (lanes.calls.leftOut.get(copy) ?? 0);
  const folded = transitions.some((step) => step.count > 1) || calls.some((step) => step.count > 1);
  return el('article', {class: 'story', id: 'story', tabindex: -1, 'aria-label': 'Story of one copy', 'data-id': lanes.id(copy),
    'data-became': leftover?.became ?? '', 'data-reclaimed': leftover?.reclaimed ?? '', 'data-due': leftover?.due ?? ''},
    el('div', {class: 'bar'},
      el('h3', {}, el('code', {}, lanes.id(copy))),
      el('button', {type: 'button', class: 'plain', onclick: close}, 'Close')),
    el('p', {}, `${lanes.partitionName(lanes.partitionOf(copy))}, offsets ${count(first)} – ${count(last)}, ${bytes(size)}. `,
      leftover ? leftText(leftover, run) : isImport(run) ? 'Nothing is wrong with it.' : 'It left nothing.'),
    isImport(run) ? null : el('p', {class: 'reproduce'}, el('span', {}, 'In a terminal'),
      el('code', {}, `flotsam replay ${run.folder} --why ${lanes.id(copy)}`)),
    table(['world time', 'what', 'why or how it ended', {right: 'broker'}, {right: 'event'}], rows.map(({row}) => row), {class: 'figures'}),
    folded ? el('p', {class: 'note'}, 'Lines with × stand for a cycle that repeated; the first and the last time are theirs. transitions.csv and events.csv have each one.') : null,
    leftOut > 0 ? el('p', {class: 'note'}, `${count(leftOut)} more lines are in transitions.csv and events.csv only.`) : null,
    run.lanes.has_calls && !leftover ? el('p', {class: 'note'}, 'Requests to the store are shown for copies that left something; events.csv has all.') : null,
    !run.lanes.has_calls && !isImport(run) ? el('p', {class: 'note'}, 'This run kept no requests (--keep all does).') : null);
}
