// The picture: one measure over world time, a line a policy, and under it what every series reads at the cursor.
import uPlot from 'uplot';
import {chart, faultRows, steps, type Unit} from './chart';
import {rowAt, type CurveColumn, type Run} from './data';
import {el, onSchemeChange, section} from './dom';
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

function classText(run: Run, row: number): string {
  if (row < 0) return '';
  const parts = classes.filter(([column]) => run.curves[column][row]! > 0).map(([column, name]) => `${name} ${bytes(run.curves[column][row]!)}`);
  return `Of what ${run.label} stores: ${parts.join(' · ') || 'nothing'}`;
}

/** The value that held at each of the times; null outside the run's world. */
function heldAt(run: Run, column: CurveColumn, times: readonly number[]): (number | null)[] {
  const own = run.curves.time_ms;
  const values = run.curves[column];
  let place = -1;
  return times.map((time) => {
    while (place + 1 < own.length && own[place + 1]! <= time) ++place;
    return place < 0 || time > own[own.length - 1]! ? null : values[place]!;
  });
}

/** Peaks between two rows, which the rows themselves do not show: a hair up to the greatest value since the last. */
function drawPeaks(plot: uPlot, runs: readonly Run[], colours: readonly string[]): void {
  const {ctx, bbox} = plot;
  const [from, to] = [plot.scales['x']!.min!, plot.scales['x']!.max!];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = devicePixelRatio;
  runs.forEach((run, place) => {
    const {time_ms, garbage_bytes, garbage_bytes_max} = run.curves;
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

export function picture(state: State): HTMLElement {
  const runs = state.page.runs;
  const looks = linesOf(runs.map((run) => run.label));
  const faults = faultRows(longestFaults(runs));
  const times = [...new Set(runs.flatMap((run) => run.curves.time_ms))].sort((a, b) => a - b);
  const frame = el('div', {class: 'chart', id: 'picture-chart', tabindex: 0, role: 'application',
    'aria-label': 'Curves over world time. Arrow keys move the cursor, plus and minus zoom, 0 shows all.'});
  const readout = el('div', {class: 'readout', 'aria-live': 'polite'});
  let measure = measures[0]!;
  let plot: uPlot | undefined;

  function draw(): void {
    plot?.destroy();
    const colours = looks.map(colourOf);
    const most = Math.max(...runs.flatMap((run) => run.curves.garbage_bytes_max), 1);
    plot = chart(frame, [times, ...runs.map((run) => heldAt(run, measure.column, times))] as uPlot.AlignedData, {
      state, unit: measure.unit, height: 320, faults,
      series: runs.map((run, place) => ({
        label: run.label, stroke: colours[place]!, width: 2, dash: looks[place]!.dash, paths: steps(), points: {show: false},
      })),
      onDraw: (self) => {
        if (measure.column === 'garbage_bytes') drawPeaks(self, runs, colours);
      },
      onCursor: (time) => showReadout(readout, state, looks, time),
    });
    // The peaks have to fit as well.
    if (measure.column === 'garbage_bytes') {
      plot.scales['y']!.range = () => [0, most * 1.06];
      plot.redraw(false, true);
    }
    (frame as unknown as {plot: uPlot}).plot = plot;
  }

  const buttons = measures.map((each) => el('button', {
    type: 'button', 'aria-pressed': each === measure, title: each.says,
    onclick: () => {
      measure = each;
      buttons.forEach((button, place) => button.setAttribute('aria-pressed', String(measures[place] === measure)));
      draw();
    },
  }, each.name));
  const clock = el('input', {type: 'checkbox', onchange: () => state.showClock(clock.checked)});
  state.on('clock', draw);
  state.on('run', () => showReadout(readout, state, looks, null));
  onSchemeChange(draw);
  requestAnimationFrame(draw);
  showReadout(readout, state, looks, null);
  const thinned = runs.filter((run) => run.curves.row_count > run.curves.time_ms.length);
  return section('picture', 'What was in the store',
    el('div', {class: 'bar'},
      el('div', {class: 'buttons', role: 'group', 'aria-label': 'Measure'}, ...buttons),
      el('label', {class: 'check'}, clock, ' clock time'),
      el('button', {type: 'button', class: 'plain', onclick: () => state.zoomTo(...state.whole)}, 'Whole run')),
    frame,
    el('p', {class: 'hint'}, 'Grey: a fault is in force. Drag to zoom, double click for all; keys ← → + − 0. A hair is a peak between two rows; equal values lie on each other.'),
    readout,
    thinned.length > 0
      ? el('p', {class: 'note'}, `Thinned for the page, peaks kept: ${thinned.map((run) =>
        `${run.label} shows ${count(run.curves.time_ms.length)} of ${count(run.curves.row_count)} rows of curves.csv`).join('; ')}.`)
      : null);
}

/** All runs of a scenario see the same windows, but only what hit is listed with hits; the fullest list is taken. */
export function longestFaults(runs: readonly Run[]): Run['faults'] {
  return runs.reduce<Run['faults']>((most, run) => (run.faults.length > most.length ? run.faults : most), []);
}

function showReadout(target: HTMLElement, state: State, looks: ReturnType<typeof linesOf>, time: number | null): void {
  const runs = state.page.runs;
  const at = time === null ? null : Math.min(Math.max(0, time), state.whole[1]);
  const active = at === null ? [] : longestFaults(runs).filter((fault) => fault.start <= at && at < fault.end);
  const rows = runs.map((run, place) => {
    const row = at === null ? -1 : rowAt(run.curves.time_ms, at);
    const cell = (measure: Measure): HTMLElement => {
      const value = at === null ? Math.max(0, ...run.curves[measure.column]) : run.curves[measure.column][row];
      const shown = at === null && measure.column === 'garbage_bytes' ? Math.max(0, ...run.curves.garbage_bytes_max) : value;
      return el('td', {'data-column': measure.column, 'data-value': shown ?? ''},
        shown === undefined ? '–' : measure.unit === 'bytes' ? bytes(shown) : count(shown));
    };
    return el('tr', {class: place === state.run ? 'chosen' : '', 'data-run': run.label},
      el('th', {scope: 'row'}, el('button', {type: 'button', class: 'plain', 'aria-pressed': place === state.run,
        title: 'Show this policy below', onclick: () => state.choose(place)}, swatch(looks[place]!), ` ${run.label}`)),
      el('td', {class: 'row-time', 'data-time': row >= 0 ? run.curves.time_ms[row]! : ''},
        row >= 0 ? duration(run.curves.time_ms[row]!, 3) : ''),
      ...measures.map(cell));
  });
  const moment = at === null
    ? 'Greatest value of each series; move the cursor over the picture for a moment.'
    : `At ${worldTime(Math.round(at))} of the world, ${clockTime(state.start, at)}${active.length > 0 ? ` · in force: ${[...new Set(active.map((fault) => fault.name))].join(', ')}` : ''}`;
  const chosen = runs[state.run]!;
  target.replaceChildren(
    el('p', {class: 'moment', 'data-time': at ?? ''}, moment),
    el('div', {class: 'scroll'}, el('table', {class: 'figures'},
      el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'policy'), el('th', {scope: 'col'}, at === null ? '' : 'row of'),
        ...measures.map((measure) => el('th', {scope: 'col', title: measure.says}, measure.name.toLowerCase())))),
      el('tbody', {}, ...rows))),
    el('p', {class: 'moment classes'}, at === null ? '' : classText(chosen, rowAt(chosen.curves.time_ms, at))));
}
