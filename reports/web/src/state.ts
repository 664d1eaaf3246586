// What the reader has chosen; the parts of the page listen.
import {isImport, readTopics, type Curves, type Page, type Run} from './data';

export type Filter = {kind: 'all'} | {kind: 'cause'; cause: number} | {kind: 'ghosts'} | {kind: 'text'; text: string};

type Happening = 'run' | 'zoom' | 'clock' | 'filter' | 'topic';

/** The run whose garbage weighs most; where there was none, the worst in the page's order. */
function dirtiest(page: Page): number {
  const weight = (run: Run): number => Number(run.summary['garbage_byte_hours']);
  let most = page.order.at(-1) ?? 0;
  for (const place of page.order) if (weight(page.runs[place]!) > weight(page.runs[most]!)) most = place;
  return most;
}

export class State {
  /** Index into page.runs. */
  run: number;
  /** The part of the world's time that pictures and lanes show. */
  zoom: [from: number, to: number];
  readonly whole: [from: number, to: number];
  clock = false;
  filter: Filter = {kind: 'all'};
  /** Whose curves are shown; empty: those of all topics together. */
  topic = '';
  /** By topic's name, of each run that has it. */
  private readonly topicCurves = new Map<string, Map<Run, Curves>>();
  private readonly listeners = new Map<Happening, (() => void)[]>();

  constructor(readonly page: Page) {
    this.run = dirtiest(page);
    this.whole = [0, Math.max(1, ...page.runs.map((run) => run.manifest.world_ms))];
    this.zoom = [...this.whole];
    this.clock = page.runs.some(isImport);  // Whose times are of the clock.
  }

  get start(): string {
    return this.page.runs[this.run]?.manifest.start ?? this.page.folders[0]?.manifest.start ?? '';
  }

  /** Of the topic that is chosen; nothing where the run has not got it. */
  curves(run: Run): Curves {
    if (this.topic === '') return run.curves;
    return this.topicCurves.get(this.topic)?.get(run) ?? nothing(run.curves);
  }

  on(happening: Happening, call: () => void): void {
    this.listeners.set(happening, [...(this.listeners.get(happening) ?? []), call]);
  }
  private tell(happening: Happening): void {
    for (const call of this.listeners.get(happening) ?? []) call();
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
  async chooseTopic(topic: string): Promise<void> {
    if (topic !== '' && this.topicCurves.size === 0) await this.unpackTopics();
    this.topic = topic;
    this.tell('topic');
  }

  private async unpackTopics(): Promise<void> {
    const read = await Promise.all(this.page.runs.map((run, place) => (run.topics.length > 0 ? readTopics(place) : [])));
    this.page.runs.forEach((run, place) => run.topics.forEach((topic, own) => {
      const curves = this.topicCurves.get(topic) ?? new Map<Run, Curves>();
      this.topicCurves.set(topic, curves.set(run, read[place]![own]!));
    }));
  }
}

function nothing(like: Curves): Curves {
  return Object.fromEntries(Object.keys(like).map((name) => [name, name === 'row_count' ? 0 : name === 'unknown' ? like.unknown : []])) as unknown as Curves;
}
