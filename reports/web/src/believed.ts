// What the KIP's metric says beside what the ledger knows.
import uPlot from 'uplot';
import {chart, faultRows, steps} from './chart';
import type {Run} from './data';
import {css, el, onSchemeChange, section} from './dom';
import {bytes, count, duration} from './format';
import type {State} from './state';

interface Gap {
  row: number;
  bytes: number;
}

/** Where the metric is furthest from the truth; nothing when it never is. */
function widestGap(run: Run): Gap | null {
  const {metric_dangling_bytes: believed, garbage_bytes: known} = run.curves;
  let gap: Gap | null = null;
  believed.forEach((value, row) => {
    const distance = Math.abs(value - known[row]!);
    if (distance > (gap?.bytes ?? 0)) gap = {row, bytes: distance};
  });
  return gap;
}

function sentence(run: Run, gap: Gap | null): (string | Node)[] {
  const {curves} = run;
  const reported = curves.metric_dangling_bytes.some((value) => value > 0);
  if (!gap) return [`The metric of ${run.label} and the store agree all the time.`];
  const when = duration(curves.time_ms[gap.row]!, 3);
  const known = bytes(curves.garbage_bytes[gap.row]!);
  if (!reported) {
    return [`${run.label} reports nothing: no metric tells of the garbage, up to `,
      el('b', {}, bytes(Math.max(...curves.garbage_bytes_max))), ', that its store holds.'];
  }
  const believed = bytes(curves.metric_dangling_bytes[gap.row]!);
  const ghosts = curves.ghost_count[gap.row]!;
  const why = ghosts > 0
    ? ` ${count(ghosts)} ghosts (entries of which no byte is stored) claim ${bytes(curves.ghost_claimed_bytes[gap.row]!)} of it.`
    : '';
  return [`At ${when} the metric says `, el('b', {}, believed), ' and the store holds ', el('b', {}, known), ` of garbage.${why}`];
}

function drawLabel(plot: uPlot, run: Run, gap: Gap | null): void {
  if (!gap) return;
  const {ctx, bbox} = plot;
  const {time_ms, metric_dangling_bytes, garbage_bytes, ghost_count} = run.curves;
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

export function believed(state: State): HTMLElement {
  const frame = el('div', {class: 'chart', id: 'believed-chart', tabindex: 0, role: 'application',
    'aria-label': 'The metric and the truth over world time. Arrow keys move the cursor.'});
  const says = el('p', {class: 'says'});
  const moment = el('p', {class: 'moment', 'aria-live': 'polite'});
  let plot: uPlot | undefined;

  function draw(): void {
    const run = state.page.runs[state.run]!;
    const gap = widestGap(run);
    const {time_ms, metric_dangling_bytes, garbage_bytes} = run.curves;
    says.replaceChildren(...sentence(run, gap));
    plot?.destroy();
    plot = chart(frame, [time_ms, metric_dangling_bytes, garbage_bytes], {
      state, unit: 'bytes', height: 200, faults: faultRows(run.faults),
      series: [
        {label: 'believed', stroke: css('--believed'), width: 2, dash: [6, 4], paths: steps(), points: {show: false}},
        {label: 'true', stroke: css('--true'), width: 2.5, paths: steps(), points: {show: false}},
      ],
      // Both ways: the metric may say too much or too little.
      bands: [{series: [1, 2], fill: css('--gap'), dir: -1}, {series: [2, 1], fill: css('--gap'), dir: -1}],
      onDraw: (self) => drawLabel(self, run, gap),
      onCursor: (time) => {
        const row = plot?.cursor.idx;
        if (time === null || row === null || row === undefined) return;
        moment.textContent = `${duration(time_ms[row]!, 3)}: believed ${bytes(metric_dangling_bytes[row]!)}, true ${bytes(garbage_bytes[row]!)}, ` +
          `ghosts ${count(run.curves.ghost_count[row]!)} claiming ${bytes(run.curves.ghost_claimed_bytes[row]!)}`;
      },
    });
  }

  for (const topic of ['run', 'clock'] as const) state.on(topic, draw);
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
    moment);
}
