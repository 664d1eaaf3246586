// What all pictures over world time share: axes, fault windows, zoom, a cursor that keys can move.
import uPlot from 'uplot';
import type {FaultWindow} from './data';
import {css} from './dom';
import {bytes, clockMark, shortCount, timeMark, timeMarks, timeSteps} from './format';
import type {State} from './state';

export type Unit = 'bytes' | 'count';

/** Windows of one name, and the row of names above the plot that they have. */
export interface FaultRow {
  name: string;
  windows: [from: number, to: number][];
}

/** Names in the order of their first window; windows that touch are one. */
export function faultRows(faults: readonly FaultWindow[]): FaultRow[] {
  const rows = new Map<string, FaultRow>();
  for (const fault of [...faults].sort((a, b) => a.start - b.start)) {
    const row = rows.get(fault.name) ?? {name: fault.name, windows: []};
    rows.set(fault.name, row);
    const last = row.windows.at(-1);
    if (last && fault.start <= last[1]) last[1] = Math.max(last[1], fault.end);
    else row.windows.push([fault.start, fault.end]);
  }
  return [...rows.values()];
}

const rowHeight = 17;
const rowsMost = 6;

export function faultSpace(rows: readonly FaultRow[]): number {
  return Math.min(rows.length, rowsMost) * rowHeight + 10;
}

/** Shades the windows over the plot, and draws each name with a bar above it. */
function drawFaults(plot: uPlot, rows: readonly FaultRow[]): void {
  const {ctx, bbox} = plot;
  const ratio = devicePixelRatio;
  const x = (time: number): number => Math.min(bbox.left + bbox.width, Math.max(bbox.left, plot.valToPos(time, 'x', true)));
  ctx.save();
  ctx.font = `${11.5 * ratio}px ${css('--font')}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const top = bbox.top - faultSpace(rows) * ratio;
  rows.forEach((row, place) => {
    const y = top + (Math.min(place, rowsMost - 1) + 0.5) * rowHeight * ratio;
    let end = bbox.left;
    let begin = bbox.left + bbox.width;
    for (const [from, to] of row.windows) {
      const [left, right] = [x(from), x(to)];
      if (right <= bbox.left || left >= bbox.left + bbox.width) continue;
      ctx.fillStyle = css('--fault');
      ctx.fillRect(left, bbox.top, Math.max(ratio, right - left), bbox.height);
      ctx.fillStyle = css('--fault-bar');
      ctx.fillRect(left, y - 2.5 * ratio, Math.max(2 * ratio, right - left), 5 * ratio);
      end = Math.max(end, right);
      begin = Math.min(begin, left);
    }
    if (end <= begin) return;
    ctx.fillStyle = css('--quiet');
    const width = ctx.measureText(row.name).width;
    const room = bbox.left + bbox.width - end;
    ctx.fillText(row.name, room > width + 8 * ratio ? end + 6 * ratio : Math.max(bbox.left, begin - width - 6 * ratio), y);
  });
  ctx.restore();
}

function byteSplits(_: uPlot, __: number, from: number, to: number): number[] {
  // Powers of two make round binary units; three to six marks fit.
  let step = 1;
  while ((to - from) / step > 5) step *= 2;
  const marks: number[] = [];
  for (let mark = Math.ceil(from / step) * step; mark <= to; mark += step) marks.push(mark);
  return marks;
}

export interface ChartOptions {
  state: State;
  unit: Unit;
  height: number;
  faults: FaultRow[];
  series: uPlot.Series[];
  bands?: uPlot.Band[];
  onDraw?: (plot: uPlot) => void;
  onCursor?: (time: number | null, plot: uPlot) => void;
}

export function axes(state: State, unit: Unit): uPlot.Axis[] {
  const common = {
    stroke: () => css('--quiet'),
    grid: {stroke: () => css('--grid'), width: 1},
    ticks: {stroke: () => css('--grid'), size: 5, width: 1},
    font: `12px ${css('--font')}`,  // uPlot reads whole pixels only.
  };
  return [
    {
      ...common,
      incrs: timeSteps,
      space: (plot: uPlot) => (plot.width < 500 ? 62 : 84),
      size: 46,
      splits: (_: uPlot, __: number, from: number, to: number, step: number) =>
        timeMarks(from, to, step, state.clock ? state.start : ''),
      values: (_: uPlot, marks: number[], __: number, ___: number, step: number) =>
        marks.map((mark) => (state.clock ? clockMark(state.start, mark, step) : timeMark(mark, step))),
    },
    {
      ...common,
      size: 62,
      ...(unit === 'bytes' ? {splits: byteSplits} : {}),
      values: (_: uPlot, marks: number[]) => marks.map((mark) => (unit === 'bytes' ? bytes(mark) : shortCount(mark))),
    },
  ];
}

/** A picture that follows the zoom of the state and can be worked by mouse and keys. */
export function chart(target: HTMLElement, data: uPlot.AlignedData, options: ChartOptions): uPlot {
  const {state, faults} = options;
  let own = false;
  const plot = new uPlot({
    width: Math.max(240, target.clientWidth),
    height: options.height + faultSpace(faults),
    padding: [faultSpace(faults), 26, 0, 0],
    legend: {show: false},
    scales: {
      x: {time: false, min: state.zoom[0], max: state.zoom[1]},
      y: {range: (_: uPlot, __: number, most: number) => [0, most > 0 ? most * 1.06 : 1]},
    },
    cursor: {y: false, drag: {x: true, y: false}, points: {size: 7}, focus: {prox: -1}},
    axes: axes(state, options.unit),
    series: [{}, ...options.series],
    bands: options.bands ?? [],
    hooks: {
      drawClear: [(self: uPlot) => drawFaults(self, faults)],
      draw: options.onDraw ? [options.onDraw] : [],
      setScale: [(self: uPlot, key: string) => {
        if (key !== 'x' || own || self.status === 0) return;
        state.zoomTo(self.scales['x']!.min!, self.scales['x']!.max!);
      }],
      setCursor: [(self: uPlot) => {
        const {left} = self.cursor;
        options.onCursor?.(left === undefined || left < 0 ? null : self.posToVal(left, 'x'), self);
      }],
    },
  }, data, target);

  const follow = (): void => {
    if (!target.isConnected) return;
    own = true;
    plot.setScale('x', {min: state.zoom[0], max: state.zoom[1]});
    own = false;
  };
  state.on('zoom', follow);
  // uPlot's own double click forgets the limits of the world.
  plot.over.addEventListener('dblclick', () => state.zoomTo(...state.whole));
  target.addEventListener('keydown', (event) => onKey(event, plot, state));
  new ResizeObserver(() => {
    if (target.clientWidth > 0 && target.clientWidth !== plot.width) {
      plot.setSize({width: target.clientWidth, height: options.height + faultSpace(faults)});
    }
  }).observe(target);
  return plot;
}

/** Arrows move the cursor from row to row (with shift ten at once), + and - zoom around it, 0 shows all. */
function onKey(event: KeyboardEvent, plot: uPlot, state: State): void {
  const times = plot.data[0] as number[];
  const [from, to] = state.zoom;
  const left = plot.cursor.left ?? -1;
  const time = left < 0 ? from : plot.posToVal(left, 'x');
  const step = event.shiftKey ? 10 : 1;
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const place = plot.cursor.idx ?? 0;
      const next = Math.min(times.length - 1, Math.max(0, place + (event.key === 'ArrowLeft' ? -step : step)));
      plot.setCursor({left: plot.valToPos(times[next]!, 'x'), top: 10});
      break;
    }
    case '+':
    case '=':
      state.zoomTo(time - (time - from) / 2, time + (to - time) / 2);
      break;
    case '-':
      state.zoomTo(time - (time - from) * 2, time + (to - time) * 2);
      break;
    case '0':
    case 'Escape':
      state.zoomTo(...state.whole);
      break;
    default:
      return;
  }
  event.preventDefault();
}

/** The line of a value that holds until the next row. */
export function steps(): uPlot.Series.PathBuilder {
  return uPlot.paths.stepped!({align: 1});
}
