// Small words for building elements.

type Child = Node | string | null | undefined;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** An element: attributes by name, `on...` as listeners, false and undefined left out. */
export function el<Name extends keyof HTMLElementTagNameMap>(
    name: Name, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else if (key.startsWith('aria-')) element.setAttribute(key, String(value));
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined));
  return element;
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return el('section', {id, 'aria-labelledby': `${id}-title`}, el('h2', {id: `${id}-title`}, title), ...children);
}

/** A frame that scrolls sideways by itself, so that the page never does, and says when it hides something. */
export function sideways(child: HTMLElement): HTMLElement {
  const frame = el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table'}, child);
  const cue = el('p', {class: 'cue', 'aria-hidden': 'true', hidden: true});
  const look = (): void => {
    const right = frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 2;
    const below = frame.scrollTop + frame.clientHeight < frame.scrollHeight - 2;
    cue.hidden = !right && !below;
    cue.classList.toggle('right', right);
    const text = right && below ? 'more to the right → and below ↓' : right ? 'more to the right →' : 'more below ↓';
    if (cue.textContent !== text) cue.textContent = text;
  };
  frame.addEventListener('scroll', look, {passive: true});
  const watch = new ResizeObserver(look);
  watch.observe(frame);
  watch.observe(child);
  return el('div', {class: 'sideways'}, frame, cue);
}

type Title = string | {right: string};

export function tableHead(titles: readonly Title[]): HTMLElement {
  return el('thead', {}, el('tr', {}, ...titles.map((title) => (typeof title === 'string' ? el('th', {scope: 'col'}, title)
    : el('th', {scope: 'col', class: 'n'}, title.right)))));
}

export function table(head: readonly Title[], rows: HTMLTableRowElement[], attributes: Attributes = {}): HTMLElement {
  return sideways(el('table', attributes, tableHead(head), el('tbody', {}, ...rows)));
}

export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Paper is light whatever the system is. */
const darkScreen = matchMedia('screen and (prefers-color-scheme: dark)');

export function isDark(): boolean {
  return darkScreen.matches;
}

/** Calls when the system goes from light to dark or back, and when the page goes to paper and back. */
export function onSchemeChange(call: () => void): void {
  darkScreen.addEventListener('change', call);
}
