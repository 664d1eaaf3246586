// What the KIP's metric says beside what the ledger knows.
import uPlot from 'uplot';
import {chart, faultRows, steps} from './chart';
import type {Curves} from './data';
import {css, el, onSchemeChange, section} from './dom';
import {bytes, count, duration} from './format';
import type {State} from './state';

interface Gap {
  row: number;
  bytes: number;
}

/** Where the metric is furthest from the truth; nothing when it never is. */
function widestGap(curves: Curves): Gap | null {
  const {metric_dangling_bytes: believed, garbage_bytes: known} = curves;
  let gap: Gap | null = null;
  believed.forEach((value, row) => {
    const distance = Math.abs(value - known[row]!);
    if (distance > (gap?.bytes ?? 0)) gap = {row, bytes: distance};
  });
  return gap;
}

const most = (values: readonly number[]): number => values.reduce((best, value) => Math.max(best, value), 0);

function sentence(label: string, curves: Curves, gap: Gap | null): (string | Node)[] {
  const reported = curves.metric_dangling_bytes.some((value) => value > 0);
  if (!gap) return [`The metric of ${label} and the store agree all the time.`];
  const when = duration(curves.time_ms[gap.row]!, 3);
  const known = bytes(curves.garbage_bytes[gap.row]!);
  if (!reported) {
    return [`${label} reports nothing: no metric tells of the garbage, up to `,
      el('b', {}, bytes(most(curves.garbage_bytes_max))), ', that its store holds.'];
  }
  const believed = bytes(curves.metric_dangling_bytes[gap.row]!);
  const ghosts = curves.ghost_count[gap.row]!;
  const why = ghosts > 0
    ? ` ${count(ghosts)} ghosts (entries of which no byte is stored) claim ${bytes(curves.ghost_claimed_bytes[gap.row]!)} of it.`
    : '';
  return [`At ${when} the metric says `, el('b', {}, believed), ' and the store holds ', el('b', {}, known), ` of garbage.${why}`];
}

function drawLabel(plot: uPlot, curves: Curves, gap: Gap | null): void {
  if (!gap) return;
  const {ctx, bbox} = plot;
  const {time_ms, metric_dangling_bytes, garbage_bytes, ghost_count} = curves;
  const [low, high] = [garbage_bytes[gap.row]!, metric_dangling_bytes[gap.row]!];
  const x = plot.valToPos(time_ms[gap.row]!, 'x', true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  const text = high > low && ghost_count[gap.row]! > 0 ? `${count(ghost_count[gap.row]!)} ghosts` : high > low ? 'more than there is' : 'not reported';
  ctx.save();
  ctx.textBaseline = 'middle';
  ctx.font = `600 ${12.5 * devicePixelRatio}px ${css('--font')}`;
  ctx.fillStyle = css('--ink');
  const width = ctx.measureText(text).width;
  const roomRight = x + width + 16 * devicePixelRatio < bbox.left + bbox.width;
  ctx.textAlign = roomRight ? 'left' : 'right';
  ctx.fillText(text, x + (roomRight ? 10 : -10) * devicePixelRatio, plot.valToPos((low + high) / 2, 'y', true));
  ctx.restore();
}

/** How many times the smaller of two lines goes into the other before one scale hides it. */
const hides = 8;

function line(label: string, width: number, dash: number[] = []): uPlot.Series {
  return {label, stroke: css(label === 'true' ? '--true' : '--believed'), width, dash, paths: steps(), points: {show: false}};
}

export function believed(state: State): HTMLElement {
  const frame = el('div', {class: 'chart', id: 'believed-chart', tabindex: 0, role: 'application',
    'aria-label': 'The metric and the truth over world time. Arrow keys move the cursor.'});
  const small = el('div', {class: 'chart', id: 'believed-small-chart', tabindex: 0, role: 'application',
    'aria-label': 'The smaller of the two on its own scale. Arrow keys move the cursor.'});
  const smallSays = el('p', {class: 'hint'});
  const smallPart = el('div', {}, smallSays, small);
  const says = el('p', {class: 'says'});
  const moment = el('p', {class: 'moment', 'aria-live': 'polite'});
  let plots: uPlot[] = [];

  function tell(curves: Curves, plot: uPlot, time: number | null): void {
    const row = plot.cursor.idx;
    if (time === null || row === null || row === undefined) return;
    moment.textContent = `${duration(curves.time_ms[row]!, 3)}: believed ${bytes(curves.metric_dangling_bytes[row]!)}, ` +
      `true ${bytes(curves.garbage_bytes[row]!)}, ghosts ${count(curves.ghost_count[row]!)} claiming ${bytes(curves.ghost_claimed_bytes[row]!)}`;
  }

  /** A line that the common scale would lay flat on the ground gets a picture of its own. */
  function drawSmall(curves: Curves): void {
    const [metric, known] = [most(curves.metric_dangling_bytes), most(curves.garbage_bytes)];
    const [low, high] = [Math.min(metric, known), Math.max(metric, known)];
    smallPart.hidden = low === 0 || high < hides * low;
    if (smallPart.hidden) return;
    const label = metric < known ? 'believed' : 'true';
    smallSays.textContent = `The ${label} line alone, on its own scale: it reaches ${bytes(low)}, which is ${count(Math.round(high / low))} times less than the other and lies flat on the ground above.`;
    plots.push(chart(small, [curves.time_ms, label === 'true' ? curves.garbage_bytes : curves.metric_dangling_bytes], {
      state, unit: 'bytes', height: 110, faults: [], series: [line(label, 2, label === 'true' ? [] : [6, 4])],
      onCursor: (time, self) => tell(curves, self, time),
    }));
  }

  function draw(): void {
    const run = state.page.runs[state.run]!;
    const curves = state.curves(run);
    const gap = widestGap(curves);
    says.replaceChildren(...sentence(run.label, curves, gap));
    moment.textContent = '';
    for (const plot of plots) plot.destroy();
    plots = [chart(frame, [curves.time_ms, curves.metric_dangling_bytes, curves.garbage_bytes], {
      state, unit: 'bytes', height: 200, faults: faultRows(run.faults),
      series: [line('believed', 2, [6, 4]), line('true', 2.5)],
      // Both ways: the metric may say too much or too little.
      bands: [{series: [1, 2], fill: css('--gap'), dir: -1}, {series: [2, 1], fill: css('--gap'), dir: -1}],
      onDraw: (self) => drawLabel(self, curves, gap),
      onCursor: (time, self) => tell(curves, self, time),
    })];
    drawSmall(curves);
  }

  for (const happening of ['run', 'clock', 'topic'] as const) state.on(happening, draw);
  onSchemeChange(draw);
  requestAnimationFrame(draw);
  return section('believed', 'Believed and true',
    says, frame,
    el('p', {class: 'hint'},
      el('span', {class: 'pair'}, el('span', {class: 'key believed'}), ' believed: DanglingRemoteLogBytes, as the brokers publish it'), ' ',
      el('span', {class: 'pair'}, el('span', {class: 'key true'}), ' true: garbage in the store'), ' ',
      el('span', {class: 'pair'}, el('span', {class: 'key gap'}), ' the gap'), ' ',
      el('button', {type: 'button', class: 'plain link', onclick: () => {
        state.show({kind: 'ghosts'});
        document.getElementById('lanes')?.scrollIntoView();
      }}, 'Show the ghosts as lanes')),
    smallPart, moment);
}
