// What the tests of the page share: a browser that tells on the page, runs to show, and a count of what held.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {chromium} from 'playwright-core';

const counts = {passed: 0, failed: 0};

export function check(name, holds, detail = '') {
  ++counts[holds ? 'passed' : 'failed'];
  if (!holds) console.log(`FAILED: ${name}${detail === '' ? '' : `: ${detail}`}`);
}

/** The last line that ./dev counts; the exit code. */
export function finish() {
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 ? 0 : 1;
}

const program = resolve(process.argv[2] ?? process.env.FLOTSAM ?? 'build/release/flotsam');
export const scratch = join(process.env.TMPDIR ?? '/tmp', 'web');
mkdirSync(scratch, {recursive: true});
/** Screenshots stay there, for whoever wants to look. */
export const shots = resolve(process.env.FLOTSAM_SHOTS ?? 'build/web-screenshots');
mkdirSync(shots, {recursive: true});

export function flotsam(...words) {
  return execFileSync(program, words, {encoding: 'utf8', cwd: scratch, maxBuffer: 1 << 28});
}

/** A folder of `run` or `compare` with its page; gives the folder. */
export function report(name, ...words) {
  const folder = join(scratch, name);
  flotsam(...words, '--out', folder, '--overwrite', '--quiet');
  flotsam('report', folder);
  return folder;
}

export const pageOf = (folder) => join(folder, 'report.html');

/** Rows of a csv without quotes, as objects. */
export function csv(path) {
  const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((field, i) => [names[i], field])));
}

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
let browser;

export async function openBrowser() {
  const executablePath = process.env.CHROMIUM ?? browsers.find((path) => existsSync(path));
  // A sandbox needs what containers do not give.
  browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--force-device-scale-factor=1']});
  return browser;
}

/** Opens a page and holds against it whatever it logs as an error and whatever it asks for beside itself. */
export async function open(path, {width = 1400, height = 1000, colorScheme = 'light'} = {}) {
  const page = await browser.newPage({viewport: {width, height}, colorScheme});
  const complaints = [];
  const url = `file://${path}`;
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack));
  page.on('request', (request) => {
    if (request.url() !== url) complaints.push(`request: ${request.url().slice(0, 100)}`);
  });
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', {state: 'attached'});
  page.complaints = complaints;
  await settle(page);
  return page;
}

/** Waits until what was asked for is drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));
}

export async function lanesRead(page) {
  await page.waitForFunction(() => document.getElementById('lanes-frame')?.dataset.copies !== undefined);
  await settle(page);
}

export async function shoot(page, name) {
  await page.screenshot({path: join(shots, `${name}.png`), fullPage: true});
}

/** How many different colours the canvases below an element show; a blank one has one. */
export function coloursOf(page, selector) {
  return page.evaluate((wanted) => {
    const colours = new Set();
    for (const canvas of document.querySelectorAll(`${wanted} canvas`)) {
      // A copy, because the page's own canvas is not made to be read.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
      copy.drawImage(canvas, 0, 0);
      const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4) colours.add((data[i] << 24) | (data[i + 1] << 16) | (data[i + 2] << 8) | data[i + 3]);
    }
    return colours.size;
  }, selector);
}

// Machado, Oliveira and Fernandes 2009: what the three kinds of dichromacy make of linear red, green and blue.
const eyes = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  'no red': [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  'no green': [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  'no blue': [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** CIE's L, a and b of a colour `#rrggbb` as one kind of eyes sees it. */
function seen(colour, eye) {
  const linear = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const mixed = eye.map((row) => Math.min(1, Math.max(0, row.reduce((sum, part, i) => sum + part * linear[i], 0))));
  const [x, y, z] = [[0.4124, 0.3576, 0.1805, 0.95047], [0.2126, 0.7152, 0.0722, 1], [0.0193, 0.1192, 0.9505, 1.08883]]
    .map(([r, g, b, white]) => (r * mixed[0] + g * mixed[1] + b * mixed[2]) / white)
    .map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The two colours that are least apart, for whichever eyes. */
export function leastApart(colours) {
  let least = {distance: Infinity};
  for (const [eye, matrix] of Object.entries(eyes)) {
    colours.forEach((a, i) => colours.slice(i + 1).forEach((b) => {
      const [from, to] = [seen(a, matrix), seen(b, matrix)];
      const distance = Math.hypot(...from.map((part, k) => part - to[k]));
      if (distance < least.distance) least = {distance, a, b, eye};
    }));
  }
  return least;
}
