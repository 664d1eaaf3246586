// Looks at the pages of `flotsam report` in a real browser, as a reader would: node page_test.mjs FLOTSAM
import {statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, coloursOf, csv, finish, flotsam, lanesRead, open, openBrowser, pageOf, report, settle, shoot} from './support.mjs';

const measures = ['garbage_bytes', 'waste_bytes', 'stored_bytes', 'copy_lag_bytes', 'ghost_count'];

/** Each width in both schemes: nothing complains, nothing sticks out, all is drawn. */
async function looksRight(name, folder, parts) {
  for (const width of [1400, 800, 400]) {
    for (const colorScheme of ['light', 'dark']) {
      const where = `${name}-${width}-${colorScheme}`;
      const page = await open(pageOf(folder), {width, colorScheme});
      if (parts.includes('#lanes-frame')) await lanesRead(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(`${where}: fits its width`, over <= 0, over);
      for (const part of parts) {
        const colours = await coloursOf(page, part);
        check(`${where}: ${part} is drawn`, colours > 8, `${colours} colours`);
      }
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      check(`${where}: follows the scheme`, (ground === 'rgb(255, 255, 255)') === (colorScheme === 'light'), ground);
      await shoot(page, where);
      check(`${where}: no complaint`, page.complaints.length === 0, page.complaints.join('; '));
      await page.close();
    }
  }
}

/** The row of curves.csv that holds at a time. */
function rowAt(rows, time) {
  return rows.filter((row) => Number(row.time_ms) <= time).at(-1);
}

async function readout(page) {
  return page.$$eval('.readout tr[data-run]', (rows) => rows.map((row) => ({
    run: row.dataset.run, time: row.querySelector('.row-time').dataset.time,
    values: Object.fromEntries([...row.querySelectorAll('[data-column]')].map((cell) => [cell.dataset.column, cell.dataset.value])),
  })));
}

async function compareCursor(page, curves, what) {
  for (const {run, time, values} of await readout(page)) {
    const row = curves[run].find((each) => each.time_ms === time);
    check(`${what}: ${run} reads a row of curves.csv`, row !== undefined, time);
    for (const measure of measures) check(`${what}: ${run} ${measure}`, row?.[measure] === values[measure], `${row?.[measure]} and ${values[measure]}`);
  }
}

async function cursorTells(folder, policies) {
  const curves = Object.fromEntries(policies.map((policy) =>
    [policy, csv(join(folder, policy, 'curves.csv')).filter((row) => row.topic === '*')]));
  const page = await open(pageOf(folder));
  const plot = page.locator('#picture-chart .u-over');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  for (const part of [0.06, 0.15, 0.31, 0.71, 0.99]) {
    await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
    await settle(page);
    await compareCursor(page, curves, `cursor at ${part}`);
    const time = Number(await page.getAttribute('.readout .moment', 'data-time'));
    check(`cursor at ${part}: the moment under the mouse`, Math.abs(time / 129_600_000 - part) < 0.01, time);
    for (const {run, time: shown} of await readout(page)) {
      const held = rowAt(curves[run], time).time_ms;
      check(`cursor at ${part}: ${run} shows the last row before it`, shown === held, `${shown} and ${held}`);
    }
  }
  // A drag zooms, every picture follows, and 0 shows all again.
  await page.mouse.move(box.x + box.width * 0.1, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 50, {steps: 4});
  await page.mouse.up();
  const shown = () => page.evaluate(() => document.getElementById('picture-chart').plot.scales.x.max);
  check('a drag zooms', (await shown()) < 0.35 * 129_600_000, await shown());
  await page.locator('#picture-chart').focus();
  await page.keyboard.press('0');
  check('0 shows all', (await shown()) === 129_600_000, await shown());
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await settle(page);
  await compareCursor(page, curves, 'cursor moved by keys');
  await page.close();
}

/** What the story shows are the rows of transitions.csv, word for word; a folded line stands for as many as it says. */
async function compareStory(page, transitions, policy) {
  const id = await page.getAttribute('#story', 'data-id');
  const shown = await page.$$eval('#story .transition', (rows) => rows.map((row) => ({...Object.fromEntries(
    [...row.attributes].filter((each) => each.name.startsWith('data-')).map((each) => [each.name.slice(5), each.value]))})));
  const rows = transitions.filter((row) => row.segment_id === id);
  const total = shown.reduce((sum, row) => sum + Number(row.count), 0);
  check(`${policy}: story of ${id} has as many rows as transitions.csv`, rows.length > 0 && total === rows.length, `${total} and ${rows.length}`);
  const columns = ['time_ms', 'event', 'from_state', 'to_state', 'cause', 'broker', 'leader_epoch', 'size_bytes'];
  for (const line of shown) {
    const row = rows.find((each) => each.event === line.event);
    const alike = row !== undefined && columns.every((column) => row[column] === line[column]);
    check(`${policy}: the line of event ${line.event}`, alike, `${JSON.stringify(row)} and ${JSON.stringify(line)}`);
  }
}

async function lanesTell(folder, policies) {
  const page = await open(pageOf(folder));
  for (const policy of policies) {
    await page.locator('.chooser button', {hasText: policy}).click();
    await page.waitForFunction((label) => document.querySelector('.filter')?.textContent.includes(label), policy);
    await lanesRead(page);
    const transitions = csv(join(folder, policy, 'transitions.csv'));
    for (const y of [30 + 27 + 7, 30 + 27 + 15 * 8 + 7]) {
      await page.locator('#lanes-frame canvas').click({position: {x: 500, y}});
      await compareStory(page, transitions, policy);
    }
    // A cause filters the lanes to its own copies.
    const cause = page.locator('#why [data-cause]').first();
    const [fault, step, state] = [await cause.locator('th').textContent(), ...await cause.locator('td').allTextContents()];
    await cause.locator('button').click();
    await settle(page);
    const copies = await page.getAttribute('#lanes-frame', 'data-copies');
    const known = new Set(transitions.map((row) => row.segment_id));
    const left = csv(join(folder, policy, 'leftovers.csv'))
      .filter((row) => row.fault === fault && row.step === step && row.state === state && known.has(row.segment_id));
    check(`${policy}: a cause filters the lanes`, left.length > 0 && Number(copies) === left.length, `${copies} and ${left.length}`);
    await page.locator('#lanes-frame').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await compareStory(page, transitions, `${policy}, by keys`);
    await page.getByRole('button', {name: 'Close'}).click();
    check(`${policy}: Close goes back to the lanes`, await page.evaluate(() => document.activeElement.id === 'lanes-frame'));
  }
  check('lanes: no complaint', page.complaints.length === 0, page.complaints.join('; '));
  await page.close();
}

async function keysReachAll(folder) {
  const page = await open(pageOf(folder));
  await lanesRead(page);
  const reached = new Set();
  for (let i = 0; i < 80; ++i) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim()));
  }
  for (const wanted of ['Copy', 'Waste', 'picture-chart', 'believed-chart', 'lanes-frame', 'Whole scenario, every key']) {
    check(`Tab reaches ${wanted}`, reached.has(wanted), [...reached].join(' | '));
  }
  await page.close();
}

/** Time until a page can be used, against a blank page of the same size in the same browser; the best of some. */
async function isFast(name, path, browser) {
  const blank = join(path, '../blank.html');
  writeFileSync(blank, `<!doctype html><script type="text/plain">${'A'.repeat(1000).concat('\n').repeat(statSync(path).size / 1001)}</script>`);
  const best = {blank: Infinity, page: Infinity};
  for (let i = 0; i < 5; ++i) {
    for (const which of ['blank', 'page']) {
      const page = await browser.newPage();
      await page.goto(`file://${which === 'blank' ? blank : path}`);
      if (which === 'page') await page.waitForSelector('html[data-ready]', {state: 'attached'});
      const time = await page.evaluate(() => performance.getEntriesByName('ready')[0]?.startTime
        ?? performance.getEntriesByType('navigation')[0].loadEventEnd);
      best[which] = Math.min(best[which], time);
      await page.close();
    }
  }
  console.log(`${name}: usable after ${Math.round(best.page)} ms, a blank page of its size after ${Math.round(best.blank)} ms`);
  check(`${name}: usable within 3 times a blank page's time`, best.page <= 3 * best.blank, JSON.stringify(best));
}

async function scrollsSmoothly(folder) {
  const page = await open(pageOf(folder));
  await lanesRead(page);
  const slowest = await page.evaluate(async () => {
    const frame = document.getElementById('lanes-frame');
    const paints = [];
    for (let i = 0; i < 40; ++i) {
      frame.scrollTop = (frame.scrollHeight * i) / 40;
      await new Promise((done) => requestAnimationFrame(() => {
        const begun = performance.now();
        setTimeout(() => {
          paints.push(performance.now() - begun);
          done();
        });
      }));
    }
    return paints.sort((a, b) => a - b)[Math.floor(paints.length * 0.9)];
  });
  console.log(`large day: 9 of 10 jumps through the lanes are painted in ${Math.round(slowest)} ms`);
  check('large day: lanes scroll smoothly', slowest < 50, slowest);
  await page.close();
}

const browser = await openBrowser();
const policies = ['kafka-3.6', 'kafka-3.9', 'kafka-4.0', 'kip-dangling', 'kip-dangling-recovery'];
const all = ['#picture-chart', '#believed-chart', '#lanes-frame'];

const quiet = report('quiet', 'run', 'quiet', '--policy', 'all');
await looksRight('quiet', quiet, all);

const outage = report('outage', 'run', 's3-outage-4h', '--policy', 'all');
check('s3-outage-4h stays below 3 MB', statSync(pageOf(outage)).size < 3e6, statSync(pageOf(outage)).size);
await looksRight('outage', outage, all);
await cursorTells(outage, policies);
await lanesTell(outage, ['kafka-3.6', 'kafka-4.0', 'kip-dangling']);
await keysReachAll(outage);
await isFast('s3-outage-4h', pageOf(outage), browser);

const compared = report('compared', 'compare', 'partial-uploads', '--seeds', '1..10');
await looksRight('compared', compared, []);
const page = await open(pageOf(compared));
const rows = csv(join(compared, 'compare.csv'));
for (const shown of await page.$$eval('.forest-row', (lines) => lines.map((line) => ({...line.dataset})))) {
  check(`comparison: ${shown.metric}`, rows.some((row) => row.metric === shown.metric && Number(row.mean_difference) === Number(shown.mean)), shown.mean);
}
const first = await page.$eval('#page > section', (part) => part.id);
check('a comparison begins with its differences', first === 'differences', first);
await page.close();

flotsam('report', outage, quiet, '--out', join(outage, 'both.html'));
const both = await open(join(outage, 'both.html'));
check('folders are laid over each other', (await both.$$('.readout tr[data-run]')).length === 2 * policies.length);
check('both: no complaint', both.complaints.length === 0, both.complaints.join('; '));
await both.close();

const large = report('large', 'run', 's3-outage-4h', '--policy', 'kafka-4.0', '--set', 'topic.orders.partitions=140');
check('a large day stays below 25 MB', statSync(pageOf(large)).size < 25e6, statSync(pageOf(large)).size);
await looksRight('large', large, all);
await scrollsSmoothly(large);
await isFast('large day', pageOf(large), browser);

await browser.close();
process.exit(finish());
