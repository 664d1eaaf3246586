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
const scratch = join(process.env.TMPDIR ?? '/tmp', 'web');
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
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4) colours.add((data[i] << 24) | (data[i + 1] << 16) | (data[i + 2] << 8) | data[i + 3]);
    }
    return colours.size;
  }, selector);
}
