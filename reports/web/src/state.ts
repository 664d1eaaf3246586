// What the reader has chosen; the parts of the page listen.
import type {Page} from './data';

export type Filter = {kind: 'all'} | {kind: 'cause'; cause: number} | {kind: 'ghosts'} | {kind: 'text'; text: string};

type Topic = 'run' | 'zoom' | 'clock' | 'filter';

export class State {
  /** Index into page.runs. */
  run: number;
  /** The part of the world's time that pictures and lanes show. */
  zoom: [from: number, to: number];
  readonly whole: [from: number, to: number];
  clock = false;
  filter: Filter = {kind: 'all'};
  private readonly listeners = new Map<Topic, (() => void)[]>();

  constructor(readonly page: Page) {
    // The one that left most tells most, and among runs of one outage it is the last in the order.
    this.run = page.order.at(-1) ?? 0;
    const kip = page.runs.findIndex((run) => /^kip-dangling($| )/.test(run.label));
    if (kip >= 0) this.run = kip;
    this.whole = [0, Math.max(1, ...page.runs.map((run) => run.manifest.world_ms))];
    this.zoom = [...this.whole];
  }

  get start(): string {
    return this.page.runs[this.run]?.manifest.start ?? this.page.folders[0]?.manifest.start ?? '';
  }

  on(topic: Topic, call: () => void): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), call]);
  }
  private tell(topic: Topic): void {
    for (const call of this.listeners.get(topic) ?? []) call();
  }

  choose(run: number): void {
    this.run = run;
    this.filter = {kind: 'all'};
    this.tell('run');
  }
  zoomTo(from: number, to: number): void {
    const [begin, end] = this.whole;
    const least = Math.min(1000, end - begin);
    const width = Math.min(end - begin, Math.max(least, to - from));
    const left = Math.min(Math.max(begin, from), end - width);
    this.zoom = [left, left + width];
    this.tell('zoom');
  }
  showClock(clock: boolean): void {
    this.clock = clock;
    this.tell('clock');
  }
  show(filter: Filter): void {
    this.filter = filter;
    this.tell('filter');
  }
}
