// Draws the lanes that are in view: as many as fit, however many there are.
import {faultRows} from './chart';
import type {Run} from './data';
import {css} from './dom';
import {bytes, clockMark, count, timeMark, timeMarks, timeSteps} from './format';
import type {Lanes} from './lane_data';
import {stateLook, type StateLook} from './look';
import type {State} from './state';

export const laneHeight = 15;
export const titleHeight = 27;
export const axisHeight = 30;

/** A line of the list: a partition's name, or a copy's lane. */
export type LaneRow = {top: number; partition: number; copy?: undefined} | {top: number; copy: number; partition: number};

export interface Scene {
  state: State;
  run: Run;
  lanes: Lanes;
  rows: LaneRow[];
  /** First pixel of the list that is in view, and the size of the view. */
  top: number;
  width: number;
  height: number;
  chosen: number | null;
}

export function gutter(width: number): number {
  return width >= 700 ? 196 : 8;
}

export function timeAt(scene: Scene, x: number): number {
  const [from, to] = scene.state.zoom;
  const left = gutter(scene.width);
  return from + ((x - left) / (scene.width - left)) * (to - from);
}

class Painter {
  private readonly left: number;
  private readonly from: number;
  private readonly scale: number;
  private readonly looks = new Map<string, StateLook>();
  private readonly ink = css('--ink');
  private readonly quiet = css('--quiet');
  private readonly font = css('--font');

  constructor(private readonly ctx: CanvasRenderingContext2D, private readonly scene: Scene) {
    this.left = gutter(scene.width);
    const [from, to] = scene.state.zoom;
    this.from = from;
    this.scale = (scene.width - this.left) / (to - from);
  }

  x(time: number): number {
    return Math.min(this.scene.width, Math.max(this.left, this.left + (time - this.from) * this.scale));
  }

  private look(state: string): StateLook {
    let look = this.looks.get(state);
    if (!look) this.looks.set(state, (look = stateLook(state)));
    return look;
  }

  paint(firstRow: number): void {
    const {ctx, scene} = this;
    ctx.clearRect(0, 0, scene.width, scene.height);
    this.faults();
    for (let place = firstRow; place < scene.rows.length; ++place) {
      const row = scene.rows[place]!;
      const y = row.top - scene.top + axisHeight;
      if (y > scene.height) break;
      if (row.copy === undefined) this.title(row.partition, y);
      else this.lane(row.copy, row.partition, y);
    }
    this.axis();
  }

  private faults(): void {
    const {ctx, scene} = this;
    ctx.fillStyle = css('--fault');
    for (const row of faultRows(scene.run.faults)) {
      for (const [from, to] of row.windows) {
        const [left, right] = [this.x(from), this.x(to)];
        if (right > left) ctx.fillRect(left, axisHeight, right - left, scene.height);
      }
    }
  }

  private title(partition: number, y: number): void {
    const {ctx, scene} = this;
    const group = scene.lanes.order.find((each) => each.partition === partition)!;
    const all = scene.lanes.copiesOf(partition);
    const left = group.leftCount > 0 ? `, ${count(group.leftCount)} left something: ${bytes(group.leftBytes)}` : '';
    const shown = all > group.copies.length ? `${count(group.copies.length)} of ${count(all)} copies` : `${count(all)} copies`;
    ctx.fillStyle = css('--paper');
    ctx.fillRect(0, y, scene.width, titleHeight - 2);
    ctx.textBaseline = 'middle';
    ctx.fillStyle = this.ink;
    ctx.font = `600 12.5px ${this.font}`;
    const name = scene.lanes.partitionName(partition);
    ctx.fillText(name, 8, y + titleHeight / 2);
    const end = 8 + ctx.measureText(name).width;
    ctx.fillStyle = this.quiet;
    ctx.font = `12px ${this.font}`;
    ctx.fillText(`${shown}${left}`, end + 10, y + titleHeight / 2);
  }

  private lane(copy: number, partition: number, y: number): void {
    const {ctx, scene} = this;
    if (copy === scene.chosen) {
      ctx.fillStyle = css('--chosen');
      ctx.fillRect(0, y, scene.width, laneHeight);
    }
    const leftover = scene.lanes.leftovers.get(copy);
    if (this.left > 100) {
      ctx.textBaseline = 'middle';
      ctx.font = `11px ${css('--mono')}`;
      ctx.fillStyle = leftover ? this.ink : this.quiet;
      ctx.fillText(scene.lanes.id(copy).slice(0, 11), 8, y + laneHeight / 2);
      ctx.font = `11px ${this.font}`;
      ctx.fillStyle = this.quiet;
      ctx.textAlign = 'right';
      ctx.fillText(leftover ? (leftover.bytes > 0 ? bytes(leftover.bytes) : 'ghost') : '', this.left - 10, y + laneHeight / 2);
      ctx.textAlign = 'left';
    }
    this.states(copy, y + 2, laneHeight - 5);
    if (leftover) this.leftover(leftover.became, leftover.reclaimed, leftover.bytes === 0, y + laneHeight - 2);
    ctx.fillStyle = this.ink;
    for (const [time] of scene.lanes.leaders.get(partition) ?? []) {
      const x = this.x(time);
      if (x > this.left && x < scene.width) ctx.fillRect(x - 0.75, y, 1.5, laneHeight);
    }
  }

  private states(copy: number, y: number, height: number): void {
    const {transitions} = this.scene.lanes;
    const end = transitions.first[copy + 1]!;
    const world = this.scene.run.manifest.world_ms;
    for (let step = transitions.first[copy]!; step < end; ++step) {
      const look = this.look(transitions.words[transitions.kinds[step]!]![1]!);
      const fold = transitions.folds.get(step);
      const begin = transitions.times[step]!;
      let until = step + 1 < end ? transitions.times[step + 1]! : world;
      // Of a folded cycle the two states take turns until its last time.
      if (fold && step + 1 < end) until = Math.max(until, transitions.folds.get(step + 1)?.[1] ?? fold[1]);
      this.bar(look, begin, until, y, height);
    }
  }

  private bar(look: StateLook, from: number, to: number, y: number, height: number): void {
    const {ctx} = this;
    const [left, right] = [this.x(from), this.x(to)];
    if (right <= this.left || left >= this.scene.width) return;
    const width = Math.max(1, right - left);
    const top = y + look.top * height;
    const tall = Math.max(1, (look.bottom - look.top) * height);
    ctx.fillStyle = look.colour;
    ctx.fillRect(left, top, width, tall);
    if (!look.striped || width < 5) return;
    ctx.fillStyle = css('--paper');
    for (let x = left + 3; x < left + width - 1; x += 5) ctx.fillRect(x, top + 1, 1, tall - 2);
  }

  /** From when it was left until it was removed: a black line under the lane, dashed for a ghost. */
  private leftover(became: number, reclaimed: number | null, isGhost: boolean, y: number): void {
    const {ctx, scene} = this;
    ctx.strokeStyle = this.ink;
    ctx.lineWidth = 1.5;
    ctx.setLineDash(isGhost ? [2, 3] : []);
    ctx.beginPath();
    const right = this.x(reclaimed ?? scene.run.manifest.world_ms);
    const left = this.x(became);
    if (right > this.left) {
      ctx.moveTo(left, y);
      ctx.lineTo(Math.max(right, left + 1.5), y);
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }

  private axis(): void {
    const {ctx, scene} = this;
    const [from, to] = scene.state.zoom;
    ctx.fillStyle = css('--paper');
    ctx.fillRect(0, 0, scene.width, axisHeight);
    const marksMost = Math.max(2, Math.floor((scene.width - this.left) / 84));
    const step = timeSteps.find((each) => (to - from) / each <= marksMost) ?? timeSteps.at(-1)!;
    ctx.font = `11.5px ${this.font}`;
    ctx.textBaseline = 'middle';
    ctx.fillStyle = this.quiet;
    for (const mark of timeMarks(from, to, step, scene.state.clock ? scene.state.start : '')) {
      const text = (scene.state.clock ? clockMark(scene.state.start, mark, step) : timeMark(mark, step)).replace('\n', ' ');
      const x = this.x(mark);
      ctx.fillRect(x, axisHeight - 5, 1, 5);
      ctx.textAlign = x + 30 > scene.width ? 'right' : x - 20 < this.left ? 'left' : 'center';
      ctx.fillText(text, Math.min(x, scene.width - 6), axisHeight / 2 - 1);
    }
    ctx.textAlign = 'left';
    ctx.fillRect(0, axisHeight - 1, scene.width, 1);
  }
}

/** The first row that is in view. */
export function rowAtTop(rows: readonly LaneRow[], top: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.top <= top) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

export function paint(canvas: HTMLCanvasElement, scene: Scene): void {
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(scene.width * ratio) || canvas.height !== Math.round(scene.height * ratio)) {
    canvas.width = Math.round(scene.width * ratio);
    canvas.height = Math.round(scene.height * ratio);
    canvas.style.width = `${scene.width}px`;
    canvas.style.height = `${scene.height}px`;
  }
  const ctx = canvas.getContext('2d')!;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  new Painter(ctx, scene).paint(rowAtTop(scene.rows, scene.top));
}
