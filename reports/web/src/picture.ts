// The picture: one measure over world time, a line a policy, and under it what every series reads at the cursor.
import uPlot from 'uplot';
import {chart, faultRows, steps, type Unit} from './chart';
import {isImport, rowAt, type CurveColumn, type Curves, type Run} from './data';
import {el, onSchemeChange, section, sideways} from './dom';
import {bytes, clockTime, count, duration, worldTime} from './format';
import {colourOf, linesOf, swatch} from './look';
import type {State} from './state';

interface Measure {
  column: CurveColumn;
  name: string;
  unit: Unit;
  says: string;
}

const measures: Measure[] = [
  {column: 'garbage_bytes', name: 'Garbage', unit: 'bytes', says: 'bytes that a failure left'},
  {column: 'waste_bytes', name: 'Waste', unit: 'bytes', says: 'bytes nobody will read'},
  {column: 'stored_bytes', name: 'Stored', unit: 'bytes', says: 'all bytes in the store'},
  {column: 'copy_lag_bytes', name: 'Copy lag', unit: 'bytes', says: 'closed on disk, not yet copied'},
  {column: 'ghost_count', name: 'Ghosts', unit: 'count', says: 'entries with no byte behind them'},
];

/** Where a byte can belong; at every moment each is in one class. */
const classes: [column: CurveColumn, name: string][] = [
  ['live_bytes', 'live'], ['in_flight_bytes', 'in flight'], ['expired_bytes', 'expired'], ['unreferenced_bytes', 'unreferenced'],
  ['dangling_bytes', 'dangling'], ['deleting_bytes', 'deleting'], ['stuck_bytes', 'stuck'], ['orphan_bytes', 'orphan'],
  ['upload_parts_bytes', 'upload parts'],
];

function classText(label: string, curves: Curves, row: number): string {
  if (row < 0) return '';
  const parts = classes.filter(([column]) => !curves.unknown.includes(column) && curves[column][row]! > 0).map(([column, name]) => `${name} ${bytes(curves[column][row]!)}`);
  return `Of what ${label} stores: ${parts.join(' · ') || 'nothing'}`;
}

/** The value that held at each of the times; null outside the run's world. */
function heldAt(curves: Curves, column: CurveColumn, times: readonly number[]): (number | null)[] {
  if (curves.unknown.includes(column)) return times.map(() => null);
  const own = curves.time_ms;
  const values = curves[column];
  let place = -1;
  return times.map((time) => {
    while (place + 1 < own.length && own[place + 1]! <= time) ++place;
    return place < 0 || time > own[own.length - 1]! ? null : values[place]!;
  });
}

/** Peaks between two rows, which the rows themselves do not show: a hair up to the greatest value since the last. */
function drawPeaks(plot: uPlot, all: readonly Curves[], colours: readonly string[]): void {
  const {ctx, bbox} = plot;
  const [from, to] = [plot.scales['x']!.min!, plot.scales['x']!.max!];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = devicePixelRatio;
  all.forEach(({time_ms, garbage_bytes, garbage_bytes_max}, place) => {
    ctx.strokeStyle = colours[place]!;
    ctx.beginPath();
    for (let i = Math.max(1, rowAt(time_ms, from)); i < time_ms.length && time_ms[i]! <= to; ++i) {
      const base = Math.max(garbage_bytes[i]!, garbage_bytes[i - 1]!);
      if (garbage_bytes_max[i]! <= base) continue;
      const x = plot.valToPos(time_ms[i]!, 'x', true);
      ctx.moveTo(x, plot.valToPos(base, 'y', true));
      ctx.lineTo(x, plot.valToPos(garbage_bytes_max[i]!, 'y', true));
    }
    ctx.stroke();
  });
  ctx.restore();
}

/** Chooses whose curves are shown; nothing where there is one topic only. */
function topicChooser(state: State): HTMLElement | null {
  const topics = [...new Set(state.page.runs.flatMap((run) => run.topics))];
  if (topics.length === 0) return null;
  const select = el('select', {id: 'topic', onchange: () => void state.chooseTopic(select.value)},
    el('option', {value: ''}, 'all topics together'), ...topics.map((topic) => el('option', {value: topic}, topic)));
  return el('label', {class: 'check'}, 'curves of ', select);
}

function leftOutText(state: State): string {
  const words: string[] = [];
  const thinned = state.page.runs.map((run) => ({label: run.label, curves: state.curves(run)}))
    .filter(({curves}) => curves.row_count > curves.time_ms.length);
  if (thinned.length > 0) {
    words.push(`Thinned for the page, peaks kept: ${thinned.map(({label, curves}) =>
      `${label} shows ${count(curves.time_ms.length)} of ${count(curves.row_count)} rows of curves.csv`).join('; ')}.`);
  }
  const topics = Math.max(0, ...state.page.runs.map((run) => run.topics_left_out));
  if (topics > 0) words.push(`${count(topics)} more topics have curves in curves.csv only.`);
  if (state.topic !== '') words.push(`The curves here and in the next part are of topic ${state.topic} alone; causes and lanes are of all topics.`);
  return words.join(' ');
}

export function picture(state: State): HTMLElement {
  const runs = state.page.runs;
  const looks = linesOf(runs.map((run) => run.label));
  const faults = faultRows(longestFaults(runs));
  const frame = el('div', {class: 'chart', id: 'picture-chart', tabindex: 0, role: 'application',
    'aria-label': 'Curves over world time. Arrow keys move the cursor, plus and minus zoom, 0 shows all.'});
  const readout = new Readout(state, looks);
  const note = el('p', {class: 'note'});
  // What no run knows is not offered.
  const offered = measures.filter(({column}) => !runs.every((run) => run.curves.unknown.includes(column)));
  let measure = offered[0]!;
  let plot: uPlot | undefined;

  function draw(): void {
    plot?.destroy();
    const colours = looks.map(colourOf);
    const curves = runs.map((run) => state.curves(run));
    const times = [...new Set(curves.flatMap((each) => each.time_ms))].sort((a, b) => a - b);
    const most = Math.max(...curves.flatMap((each) => each.unknown.includes('garbage_bytes_max') ? each.garbage_bytes : each.garbage_bytes_max), 1);
    plot = chart(frame, [times, ...curves.map((each) => heldAt(each, measure.column, times))] as uPlot.AlignedData, {
      state, unit: measure.unit, height: 320, faults,
      series: runs.map((run, place) => ({
        label: run.label, stroke: colours[place]!, width: 2, dash: looks[place]!.dash, paths: steps(), points: {show: false},
      })),
      onDraw: (self) => {
        if (measure.column === 'garbage_bytes') drawPeaks(self, curves, colours);
      },
      onCursor: (time) => readout.show(time),
    });
    // The peaks have to fit as well.
    if (measure.column === 'garbage_bytes') {
      plot.scales['y']!.range = () => [0, most * 1.06];
      plot.redraw(false, true);
    }
    note.textContent = leftOutText(state);
    (frame as unknown as {plot: uPlot}).plot = plot;
  }

  const buttons = offered.map((each) => el('button', {
    type: 'button', 'aria-pressed': each === measure, title: each.says,
    onclick: () => {
      measure = each;
      buttons.forEach((button, place) => button.setAttribute('aria-pressed', String(offered[place] === measure)));
      draw();
    },
  }, each.name));
  const clock = el('input', {type: 'checkbox', onchange: () => state.showClock(clock.checked)});
  clock.checked = state.clock;
  state.on('clock', draw);
  state.on('topic', () => {
    draw();
    readout.show(null);
  });
  state.on('run', () => readout.show(null));
  onSchemeChange(draw);
  requestAnimationFrame(draw);
  readout.show(null);
  return section('picture', 'What was in the store',
    el('div', {class: 'bar'},
      el('div', {class: 'buttons', role: 'group', 'aria-label': 'Measure'}, ...buttons),
      topicChooser(state),
      el('label', {class: 'check'}, clock, ' clock time'),
      el('button', {type: 'button', class: 'plain', onclick: () => state.zoomTo(...state.whole)}, 'Whole run')),
    frame,
    runs.some(isImport) ? el('p', {class: 'hint'}, 'From the metadata topic alone: sizes are those that it claims of the log files, and a copy or delete that stood for an hour counts as garbage. What it cannot tell is not shown.') : null,
    el('p', {class: 'hint'}, 'Grey: a fault is in force. Drag to zoom, double click for all; keys ← → + − 0. A hair is a peak between two rows; equal values lie on each other.'),
    readout.element, note);
}

/** All runs of a scenario see the same windows, but only what hit is listed with hits; the fullest list is taken. */
export function longestFaults(runs: readonly Run[]): Run['faults'] {
  return runs.reduce<Run['faults']>((most, run) => (run.faults.length > most.length ? run.faults : most), []);
}

/** What every series of every run reads at a moment, or its greatest value without one. */
class Readout {
  private readonly moment = el('p', {class: 'moment'});
  private readonly table = el('table', {class: 'figures'});
  private readonly classes = el('p', {class: 'moment classes'});
  readonly element = el('div', {class: 'readout', 'aria-live': 'polite'}, this.moment, sideways(this.table), this.classes);

  constructor(private readonly state: State, private readonly looks: ReturnType<typeof linesOf>) {}

  show(time: number | null): void {
    const {state} = this;
    const runs = state.page.runs;
    const at = time === null ? null : Math.min(Math.max(0, time), state.whole[1]);
    const active = at === null ? [] : longestFaults(runs).filter((fault) => fault.start <= at && at < fault.end);
    const names = [...new Set(active.map((fault) => fault.name))].join(', ');
    this.moment.dataset['time'] = at === null ? '' : String(at);
    this.moment.textContent = at === null
      ? 'Greatest value of each series; move the cursor over the picture for a moment.'
      : `At ${worldTime(Math.round(at))} of the world, ${clockTime(state.start, at)}${names ? ` · in force: ${names}` : ''}`;
    this.table.replaceChildren(
      el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'policy'), el('th', {scope: 'col'}, at === null ? '' : 'row of'),
        ...measures.map((measure) => el('th', {scope: 'col', title: measure.says}, measure.name.toLowerCase())))),
      el('tbody', {}, ...runs.map((run, place) => this.row(run, place, at))));
    const chosen = runs[state.run]!;
    const curves = state.curves(chosen);
    this.classes.textContent = at === null ? '' : classText(chosen.label, curves, rowAt(curves.time_ms, at));
  }

  private row(run: Run, place: number, at: number | null): HTMLElement {
    const {state} = this;
    const curves = state.curves(run);
    const row = at === null ? -1 : rowAt(curves.time_ms, at);
    const cell = (measure: Measure): HTMLElement => {
      const column = at === null && measure.column === 'garbage_bytes' && !curves.unknown.includes('garbage_bytes_max')
        ? 'garbage_bytes_max' : measure.column;
      const value = curves.unknown.includes(measure.column) ? undefined : at === null ? curves[column].reduce((most, each) => Math.max(most, each), 0) : curves[column][row];
      return el('td', {'data-column': measure.column, 'data-value': value ?? ''},
        value === undefined ? '–' : measure.unit === 'bytes' ? bytes(value) : count(value));
    };
    return el('tr', {class: place === state.run ? 'chosen' : '', 'data-run': run.label},
      el('th', {scope: 'row'}, el('button', {type: 'button', class: 'plain', 'aria-pressed': place === state.run,
        title: 'Show this policy below', onclick: () => state.choose(place)}, swatch(this.looks[place]!), ` ${run.label}`)),
      el('td', {class: 'row-time', 'data-time': row >= 0 ? curves.time_ms[row]! : ''},
        row >= 0 ? duration(curves.time_ms[row]!, 3) : ''),
      ...measures.map(cell));
  }
}
