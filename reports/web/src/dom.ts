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

/** A table in a frame that scrolls sideways by itself, so that the page never does. */
export function table(head: (string | {right: string})[], rows: HTMLTableRowElement[], attributes: Attributes = {}): HTMLElement {
  return el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table'},
    el('table', attributes,
      el('thead', {}, el('tr', {}, ...head.map((title) => (typeof title === 'string' ? el('th', {scope: 'col'}, title)
        : el('th', {scope: 'col', class: 'n'}, title.right))))),
      el('tbody', {}, ...rows)));
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
