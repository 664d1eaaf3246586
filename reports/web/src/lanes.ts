// The segment lanes: one a copy, coloured by state; a click opens the copy's story.
import {axisHeight, laneHeight, paint, rowAtTop, timeAt, titleHeight, type LaneRow, type Scene} from './lane_canvas';
import {lanesOf, type Lanes} from './lane_data';
import type {Run} from './data';
import {el, onSchemeChange, section} from './dom';
import {bytes, count, duration} from './format';
import {stateLook, states} from './look';
import type {State} from './state';
import {story} from './story';

function matches(lanes: Lanes, copy: number, partition: number, state: State): boolean {
  const {filter} = state;
  const leftover = lanes.leftovers.get(copy);
  switch (filter.kind) {
    case 'all': return true;
    case 'cause': return leftover?.cause === filter.cause;
    case 'ghosts': return leftover?.bytes === 0;
    case 'text': return lanes.id(copy).startsWith(filter.text) || lanes.isNamed(partition, filter.text);
  }
}

function layOut(lanes: Lanes, state: State): {rows: LaneRow[]; height: number; copies: number} {
  const rows: LaneRow[] = [];
  let top = 0;
  let copies = 0;
  for (const {partition, copies: own} of lanes.order) {
    const shown = state.filter.kind === 'all' ? own : own.filter((copy) => matches(lanes, copy, partition, state));
    if (shown.length === 0) continue;
    rows.push({top, partition});
    top += titleHeight;
    for (const copy of shown) {
      rows.push({top, partition, copy});
      top += laneHeight;
    }
    copies += shown.length;
  }
  return {rows, height: top, copies};
}

function legend(): HTMLElement {
  return el('ul', {class: 'legend'}, ...states.map((name) => {
    const look = stateLook(name);
    const mark = el('span', {class: `state-mark${look.striped ? ' striped' : ''}`, 'aria-hidden': 'true'});
    mark.style.setProperty('--own', look.colour);
    mark.style.setProperty('--top', `${look.top * 100}%`);
    mark.style.setProperty('--bottom', `${(1 - look.bottom) * 100}%`);
    return el('li', {}, mark, ` ${name}`);
  }),
  el('li', {}, el('span', {class: 'left-mark'}), ' bytes left'), el('li', {}, el('span', {class: 'left-mark ghost'}), ' ghost'),
  el('li', {}, el('span', {class: 'leader-mark'}), ' leader change'));
}

function leftOutText(run: Run): string {
  const {copies_left_out, leftovers_left_out, folded, steps_left_out, leader_changes_left_out} = run.lanes;
  const words: string[] = [];
  if (copies_left_out > 0) words.push(`${count(copies_left_out)} copies have no lane`);
  if (leftovers_left_out > 0) words.push(`${count(leftovers_left_out)} rows of leftovers.csv have no lane`);
  if (folded > 0) words.push(`${count(folded)} repeated transitions and requests are folded into the line before`);
  if (steps_left_out > 0) words.push(`${count(steps_left_out)} transitions and requests are left out`);
  if (leader_changes_left_out > 0) words.push(`${count(leader_changes_left_out)} leader changes are left out`);
  return words.length > 0 ? `Of ${run.label}: ${words.join('; ')}. The folder's CSV files have all.` : '';
}

/** The list in its frame; the canvas sticks while the list's full height scrolls under it. */
class LaneList {
  readonly canvas = el('canvas', {'aria-hidden': 'true'});
  private readonly filler = el('div', {class: 'filler'});
  private readonly wait = el('p', {class: 'wait', role: 'status'}, 'Reading the lanes …');
  readonly frame = el('div', {class: 'lanes', id: 'lanes-frame', tabindex: 0, role: 'application',
    'aria-label': 'Lanes, one a copy. Up and down choose a lane, Enter opens its story.'}, this.canvas, this.filler, this.wait);
  readonly told = el('p', {class: 'moment', 'aria-live': 'polite'});
  readonly note = el('p', {class: 'note'});
  readonly opened = el('div', {});
  private readonly filterLine = el('p', {class: 'filter'});
  private lanes: Lanes | null = null;
  private rows: LaneRow[] = [];
  private chosen: number | null = null;
  private pending = 0;

  constructor(private readonly state: State) {
    this.frame.addEventListener('scroll', () => this.draw());
    this.canvas.addEventListener('click', (event) => this.onClick(event));
    this.canvas.addEventListener('mousemove', (event) => this.onMove(event));
    this.frame.addEventListener('keydown', (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.frame);
    state.on('run', () => void this.load());
    state.on('filter', () => this.refill());
    state.on('zoom', () => this.draw());
    state.on('clock', () => this.draw());
    // Paper does not wait for the next frame.
    onSchemeChange(() => this.drawNow());
  }

  get filterBar(): HTMLElement {
    return this.filterLine;
  }

  async load(): Promise<void> {
    const run = this.state.run;
    this.opened.replaceChildren();
    this.chosen = null;
    this.lanes = null;
    this.rows = [];
    delete this.frame.dataset['copies'];
    this.canvas.hidden = true;
    this.wait.hidden = false;
    this.filterLine.replaceChildren();
    this.note.textContent = '';
    const lanes = await lanesOf(run);
    if (run !== this.state.run) return;
    this.lanes = lanes;
    this.canvas.hidden = false;
    this.wait.hidden = true;
    this.note.textContent = leftOutText(this.run);
    this.refill();
  }

  private get run(): Run {
    return this.state.page.runs[this.state.run]!;
  }

  private refill(): void {
    if (!this.lanes) return;
    const {rows, height, copies} = layOut(this.lanes, this.state);
    this.rows = rows;
    // A few lanes need no tall frame.
    this.frame.style.maxHeight = `${Math.max(160, height + axisHeight + 12)}px`;
    this.filler.style.height = `${Math.max(0, height - this.viewHeight + axisHeight)}px`;
    this.frame.scrollTop = 0;
    const all = this.lanes.count + this.run.lanes.copies_left_out;
    const {filter} = this.state;
    const cause = filter.kind === 'cause' ? this.run.causes[filter.cause] : undefined;
    const what = cause ? `${cause.fault || 'no fault'} at ${cause.step}, ${cause.state}`
      : filter.kind === 'ghosts' ? 'ghosts' : filter.kind === 'text' ? `“${filter.text}”` : '';
    this.filterLine.replaceChildren(`${count(copies)}${copies < all ? ` of ${count(all)}` : ''} copies of ${this.run.label}${what ? `: ${what}` : ''}. `);
    if (what) this.filterLine.append(el('button', {type: 'button', class: 'plain link', onclick: () => this.state.show({kind: 'all'})}, 'Show all'));
    this.frame.dataset['copies'] = String(copies);
    this.draw();
  }

  private get viewHeight(): number {
    return this.frame.clientHeight;
  }

  private scene(): Scene | null {
    if (!this.lanes || this.frame.clientWidth === 0) return null;
    return {state: this.state, run: this.run, lanes: this.lanes, rows: this.rows, top: this.frame.scrollTop,
      width: this.frame.clientWidth, height: this.viewHeight, chosen: this.chosen};
  }

  private draw(): void {
    cancelAnimationFrame(this.pending);
    this.pending = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    const scene = this.scene();
    if (scene) paint(this.canvas, scene);
  }

  private rowUnder(event: MouseEvent): LaneRow | undefined {
    const y = event.clientY - this.canvas.getBoundingClientRect().top - axisHeight;
    if (y < 0) return undefined;
    const at = y + this.frame.scrollTop;
    const row = this.rows[rowAtTop(this.rows, at)];
    return row && at < row.top + (row.copy === undefined ? titleHeight : laneHeight) ? row : undefined;
  }

  private tell(copy: number, time?: number): void {
    const lanes = this.lanes!;
    const leftover = lanes.leftovers.get(copy);
    const steps = lanes.transitions.of(copy);
    const now = time === undefined ? steps.at(-1) : steps.filter((step) => step.time <= time).at(-1);
    this.told.textContent = `${lanes.id(copy)} · ${lanes.partitionName(lanes.partitionOf(copy))}` +
      `${time !== undefined ? ` · at ${duration(Math.round(time), 3)}` : ''} · ${now ? now.words[1] : 'not there yet'}` +
      `${leftover ? ` · ${leftover.bytes > 0 ? `left ${bytes(leftover.bytes)}` : 'ghost'}` : ''}`;
  }

  private onMove(event: MouseEvent): void {
    const row = this.rowUnder(event);
    const scene = this.scene();
    this.canvas.style.cursor = row?.copy === undefined ? 'default' : 'pointer';
    if (row?.copy !== undefined && scene) this.tell(row.copy, timeAt(scene, event.offsetX));
  }

  private onClick(event: MouseEvent): void {
    const row = this.rowUnder(event);
    if (row?.copy !== undefined) this.open(row.copy);
  }

  private onKey(event: KeyboardEvent): void {
    const places = this.rows.map((row, place) => (row.copy === undefined ? -1 : place)).filter((place) => place >= 0);
    const at = places.findIndex((place) => this.rows[place]!.copy === this.chosen);
    const page = Math.max(1, Math.floor(this.viewHeight / laneHeight) - 2);
    const moves: Record<string, number> = {ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: places.length - 1};
    if (event.key === 'Enter' && this.chosen !== null) this.open(this.chosen);
    else if (event.key in moves && places.length > 0) {
      const row = this.rows[places[Math.min(places.length - 1, Math.max(0, moves[event.key]!))]!]!;
      this.chosen = row.copy!;
      const room = this.viewHeight - axisHeight - laneHeight;
      if (row.top < this.frame.scrollTop + titleHeight) this.frame.scrollTop = Math.max(0, row.top - titleHeight);
      else if (row.top > this.frame.scrollTop + room) this.frame.scrollTop = row.top - room;
      this.tell(this.chosen);
      this.draw();
    } else return;
    event.preventDefault();
  }

  private open(copy: number): void {
    this.chosen = copy;
    this.draw();
    this.opened.replaceChildren(story(copy, this.lanes!, this.run, this.state, () => {
      this.opened.replaceChildren();
      this.frame.focus();
    }));
    const article = this.opened.firstElementChild as HTMLElement;
    article.focus({preventScroll: true});
    article.scrollIntoView({block: 'nearest'});
  }
}

export function lanes(state: State): HTMLElement {
  const list = new LaneList(state);
  const search = el('input', {type: 'search', placeholder: 'segment, topic, partition', 'aria-label': 'Find copies by segment id, topic or topic-partition',
    oninput: () => state.show(search.value.trim() ? {kind: 'text', text: search.value.trim()} : {kind: 'all'})});
  const body = el('div', {});
  const draw = (): void => {
    const run = state.page.runs[state.run]!;
    body.replaceChildren(run.lanes.has_transitions
      ? el('div', {}, el('div', {class: 'bar'}, list.filterBar, search), legendBox, list.frame, list.told, list.note, list.opened)
      : el('p', {class: 'note'}, 'This run kept no transitions (--keep all does).'));
  };
  const legendBox = el('div', {}, legend());
  onSchemeChange(() => legendBox.replaceChildren(legend()));
  state.on('run', draw);
  draw();
  // The rest of the file may still be being read; the page above is there already, and the sign that lanes will come.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => void list.load());
  else void list.load();
  return section('lanes', 'Segment lanes',
    el('p', {class: 'says'}, 'One lane a copy of a segment, over the same time as the picture. Partitions where most was left come first. Choose a lane for its story.'),
    body);
}
