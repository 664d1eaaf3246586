// Looks at the pages of `flotsam report` in a real browser, as a reader would: node page_test.mjs FLOTSAM
import {statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, coloursOf, csv, finish, flotsam, lanesRead, leastApart, open, openBrowser, pageOf, report, scratch, settle, shoot} from './support.mjs';

const measures = ['garbage_bytes', 'waste_bytes', 'stored_bytes', 'copy_lag_bytes', 'ghost_count'];

/** Each width in both schemes: nothing complains, nothing sticks out, all is drawn. One page goes through them all. */
async function looksRight(name, folder, parts) {
  const page = await open(pageOf(folder));
  if (parts.includes('#lanes-frame')) await lanesRead(page);
  for (const width of [1400, 800, 400]) {
    for (const colorScheme of ['light', 'dark']) {
      const where = `${name}-${width}-${colorScheme}`;
      await page.setViewportSize({width, height: 1000});
      await page.emulateMedia({colorScheme});
      await settle(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(`${where}: fits its width`, over <= 0, over);
      for (const part of parts) {
        const colours = await coloursOf(page, part);
        check(`${where}: ${part} is drawn`, colours > 8, `${colours} colours`);
      }
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      check(`${where}: follows the scheme`, (ground === 'rgb(255, 255, 255)') === (colorScheme === 'light'), ground);
      await shoot(page, where);
    }
  }
  check(`${name}: no complaint`, page.complaints.length === 0, page.complaints.join('; '));
  await page.close();
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
async function compareStory(page, transitions, leftovers, policy) {
  const {id, became, reclaimed, due} = await page.$eval('#story', (story) => ({...story.dataset}));
  const left = leftovers.find((row) => row.segment_id === id);
  check(`${policy}: what ${id} left is as in leftovers.csv`, became === (left?.became_garbage_ms ?? '') && reclaimed === (left?.reclaimed_ms ?? '') && due === (left?.due_ms ?? ''),
    `${JSON.stringify(left)} and ${became}, ${reclaimed}, ${due}`);
  const shown = await page.$$eval('#story .transition', (rows) => rows.map((row) => ({...Object.fromEntries(
    [...row.attributes].filter((each) => each.name.startsWith('data-')).map((each) => [each.name.slice(5), each.value]))})));
  const rows = transitions.filter((row) => row.segment_id === id);
  const total = shown.reduce((sum, row) => sum + Number(row.count), 0);
  check(`${policy}: the story says how to ask in a terminal`, (await page.$eval('#story', (story) => story.textContent)).includes(`--why ${id}`));
  check(`${policy}: story of ${id} has as many rows as transitions.csv`, rows.length > 0 && total === rows.length, `${total} and ${rows.length}`);
  const columns = ['time_ms', 'event', 'from_state', 'to_state', 'cause', 'broker', 'leader_epoch', 'size_bytes'];
  for (const line of shown) {
    const row = rows.find((each) => each.event === line.event);
    const alike = row !== undefined && columns.every((column) => row[column] === line[column]);
    const last = rows.some((each) => each.time_ms === line.last && ['from_state', 'to_state', 'cause'].every((column) => each[column] === line[column]));
    check(`${policy}: the line of event ${line.event}`, alike && last, `${JSON.stringify(row)} and ${JSON.stringify(line)}`);
  }
}

async function lanesTell(folder, policies) {
  const page = await open(pageOf(folder));
  for (const policy of policies) {
    await page.locator('.chooser button', {hasText: policy}).first().click();
    await page.waitForFunction((label) => document.querySelector('.filter')?.textContent.includes(label), policy);
    await lanesRead(page);
    const transitions = csv(join(folder, policy, 'transitions.csv'));
    const leftovers = csv(join(folder, policy, 'leftovers.csv'));
    for (const y of [30 + 27 + 7, 30 + 27 + 15 * 8 + 7]) {
      await page.locator('#lanes-frame canvas').click({position: {x: 500, y}});
      await compareStory(page, transitions, leftovers, policy);
    }
    // A cause filters the lanes to its own copies.
    const cause = page.locator('#why [data-cause]').first();
    const [fault, step, state] = [await cause.locator('th').textContent(), ...await cause.locator('td').allTextContents()];
    await cause.locator('button').click();
    await settle(page);
    const copies = await page.getAttribute('#lanes-frame', 'data-copies');
    const known = new Set(transitions.map((row) => row.segment_id));
    const left = leftovers
      .filter((row) => row.fault === fault && row.step === step && row.state === state && known.has(row.segment_id));
    check(`${policy}: a cause filters the lanes`, left.length > 0 && Number(copies) === left.length, `${copies} and ${left.length}`);
    await page.locator('#lanes-frame').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await compareStory(page, transitions, leftovers, `${policy}, by keys`);
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

/** What the head says of each run, and which run the page begins with. */
async function headTells(folder, policies) {
  const page = await open(pageOf(folder));
  const summaries = policies.map((policy) => csv(join(folder, policy, 'summary.csv'))[0]);
  const chips = await page.$$eval('.chip', (list) => list.map((chip) => chip.textContent));
  policies.forEach((policy, i) => {
    const {outcome, first_violation: reason} = summaries[i];
    check(`head: the chip of ${policy} says its outcome and why`, chips[i].includes(policy) && chips[i].includes(outcome) && chips[i].includes(reason), chips[i]);
  });
  const cards = await page.textContent('.cards');
  check('head: cost in USD and byte-hours with their hours', /\d USD/.test(cards) && /[KMGT]iB·h/.test(cards), cards);
  const dirtiest = [...summaries].sort((a, b) => Number(b.garbage_byte_hours) - Number(a.garbage_byte_hours))[0].policy;
  const chosen = await page.textContent('.chooser [aria-pressed=true]');
  check('the page begins with the policy that left most', chosen.trim() === dirtiest, `${chosen} and ${dirtiest}`);
  const sum = csv(join(folder, dirtiest, 'leftovers.csv')).reduce((total, row) => total + (Number(row.bytes) > 0 ? 1 : 0), 0);
  const cells = await page.$$eval('#why .sum td', (list) => list.map((cell) => cell.textContent));
  check('why: a row for all causes', cells[3] === String(sum), `${cells} and ${sum}`);
  const looks = await page.$$eval('.readout .swatch', (list) => list.map((swatch) => [...swatch.children].map((path) => [path.getAttribute('stroke'), path.getAttribute('stroke-dasharray')])));
  for (const scheme of [0, 1]) {
    const least = leastApart(looks.map((look) => look[scheme][0]));
    check('every eye tells the lines apart', looks.length === policies.length && least.distance > 30, JSON.stringify(least));
  }
  check('each line has its own dashes', new Set(looks.map((look) => look[0][1])).size === looks.length, JSON.stringify(looks));
  await page.close();
}

/** A metric that says far more than there is does not hide what there is. */
async function truthIsSeen(folder) {
  const page = await open(pageOf(folder));
  const isThere = () => page.isVisible('#believed-small-chart');
  check('kafka-4.0 reports nothing, so one picture is enough', !(await isThere()));
  await page.locator('.chooser button', {hasText: 'kip-dangling'}).first().click();
  await settle(page);
  check('kip-dangling: the true line has a picture of its own', await isThere());
  check('kip-dangling: it is drawn', (await coloursOf(page, '#believed-small-chart')) > 8);
  await page.close();
}

/** At 400 px what does not fit says so, and what is chosen is in view. */
async function narrowTells(folder) {
  const page = await open(pageOf(folder), {width: 400});
  const cue = page.locator('.readout .cue');
  check('400 px: a table that goes on says so', await cue.isVisible());
  await page.$eval('.readout .scroll', (frame) => (frame.scrollLeft = frame.scrollWidth));
  await cue.waitFor({state: 'hidden'});
  const select = page.locator('.chooser select');
  await select.selectOption('kip-dangling');
  await page.waitForFunction(() => document.querySelector('.filter')?.textContent.includes('kip-dangling'));
  await page.setViewportSize({width: 1400, height: 1000});
  check('1400 px: the same policy is chosen', (await page.textContent('.chooser [aria-pressed=true]')).trim() === 'kip-dangling');
  check('1400 px: nothing is said to go on', !(await cue.isVisible()));
  await page.close();
}

/** Until the lanes are there, the page says that they will be. */
async function lanesSayThatTheyCome(folder) {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const sign = document.querySelector('#lanes-frame .wait');
      if (sign && !sign.hidden && sign.checkVisibility()) window.sawSign = sign.textContent;
    }).observe(document, {subtree: true, childList: true, attributes: true});
  });
  await page.goto(`file://${pageOf(folder)}`);
  await lanesRead(page);
  check('lanes: a sign while they are read', (await page.evaluate(() => window.sawSign ?? '')).startsWith('Reading'));
  check('lanes: no sign afterwards', !(await page.isVisible('#lanes-frame .wait')));
  await page.close();
}

async function comparisonTells(folder) {
  const page = await open(pageOf(folder));
  const rows = csv(join(folder, 'compare.csv'));
  const runs = csv(join(folder, 'runs.csv'));
  const mean = (policy, metric) => {
    const own = runs.filter((row) => row.policy === policy).map((row) => Number(row[metric]));
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  };
  const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b) + 0.002;
  const shown = () => page.$$eval('.forest-row', (lines) => lines.map((line) => ({...line.dataset})));
  const first = await page.$eval('#page > section', (part) => part.id);
  check('a comparison begins with its differences', first === 'differences', first);

  const baseline = rows[0].policy_a;
  check('comparison: the headline names the baseline', baseline === 'kafka-4.0' && (await page.textContent('h1')).replaceAll('\u2011', '-').includes('under kafka-4.0, the baseline'), await page.textContent('h1'));
  check('comparison: compare.csv and the page have the same policies', new Set((await shown()).map((row) => row.b)).size === new Set(rows.map((row) => row.policy_b)).size);
  for (const {metric, a, b, mean: value, low, high} of await shown()) {
    const row = rows.find((each) => each.metric === metric && each.policy_a === a && each.policy_b === b);
    const alike = row !== undefined && [[row.mean_difference, value], [row.ci95_low, low], [row.ci95_high, high]].every(([x, y]) => Number(x) === Number(y));
    check(`comparison: ${b} ${metric} as in compare.csv`, alike, JSON.stringify(row));
  }
  await page.selectOption('.baseline', 'kafka-3.6');
  const others = await shown();
  check('another baseline: all cards are against it', others.length > 0 && others.every((row) => row.a === 'kafka-3.6' && row.b !== 'kafka-3.6'));
  for (const {metric, a, b, mean: value} of others) {
    check(`another baseline: ${b} ${metric}`, near(Number(value), mean(b, metric) - mean(a, metric)), value);
  }
  check('another baseline: the headline follows', (await page.textContent('h1')).replaceAll('\u2011', '-').includes('under kafka-3.6, the baseline'));

  for (const cell of await page.$$eval('#means [data-metric] td', (cells) => cells.map((each) => ({metric: each.parentElement.dataset.metric, ...each.dataset})))) {
    if (cell.metric !== 'reclaim_ms') check(`means: ${cell.policy} ${cell.metric}`, near(Number(cell.mean), mean(cell.policy, cell.metric)), cell.mean);
  }
  await page.locator('#means tr[data-metric=store_requests] button').click();
  const strips = await page.$$eval('.strip-row[data-policy]', (list) => list.map((row) => [row.dataset.policy, row.querySelector('.dots').getAttribute('d').split('M').length - 1]));
  for (const [policy, dots] of strips) {
    check(`seeds: ${policy} has a dot a seed`, dots === runs.filter((row) => row.policy === policy).length, dots);
  }
  const box = await page.locator('.strip').first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  const told = await page.textContent('.strips .moment');
  check('seeds: a dot tells its seed under every policy', strips.length > 0 && /^Seed \d+:/.test(told) && strips.every(([policy]) => told.includes(policy)), told);
  await page.locator('#means summary').click();
  await page.waitForSelector('#means details td[data-value]');
  const values = await page.$$eval('#means details tbody tr', (list) => list.map((row) => [row.firstElementChild.textContent, ...[...row.querySelectorAll('td')].map((cell) => cell.dataset.value)]));
  for (const [seed, ...cells] of values) {
    const own = strips.map(([policy]) => runs.find((row) => row.policy === policy && row.seed === seed).store_requests);
    check(`seeds: the table has seed ${seed}`, own.join() === cells.join(), `${own} and ${cells}`);
  }
  check('comparison: no complaint', page.complaints.length === 0, page.complaints.join('; '));
  await page.close();
}

const twoTopics = `[scenario]
duration = 3h
settle = 30m
faults = two-topics.csv
[cluster]
brokers = 3
[topic.orders]
partitions = 2
segment.bytes = 8MiB
produce = 20KiB/s
[topic.payments]
partitions = 1
segment.bytes = 4MiB
produce = 10KiB/s
[client]
attempts = 1
`;

async function topicsTell() {
  writeFileSync(join(scratch, 'two-topics.ini'), twoTopics);
  writeFileSync(join(scratch, 'two-topics.csv'), 'start,duration,kind,target,params,name\n30m,1h,copy-fail,store,probability=0.5;stored=3MiB,halves\n');
  const folder = report('topics', 'run', './two-topics.ini', '--policy', 'kafka-4.0', '--policy', 'kip-dangling');
  const page = await open(pageOf(folder));
  const all = csv(join(folder, 'kafka-4.0', 'curves.csv'));
  for (const topic of ['payments', 'orders']) {
    await page.selectOption('#topic', topic);
    await page.waitForFunction((name) => document.querySelector('#picture .note')?.textContent.includes(`topic ${name} alone`), topic);
    const {values} = (await readout(page)).find(({run}) => run === 'kafka-4.0');
    const greatest = Math.max(...all.filter((row) => row.topic === topic).map((row) => Number(row.stored_bytes)));
    check(`${topic}: the greatest value is the topic's own`, greatest > 0 && Number(values.stored_bytes) === greatest, `${values.stored_bytes} and ${greatest}`);
    const curves = Object.fromEntries(['kafka-4.0', 'kip-dangling'].map((policy) =>
      [policy, csv(join(folder, policy, 'curves.csv')).filter((row) => row.topic === topic)]));
    const box = await page.locator('#picture-chart .u-over').boundingBox();
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
    await settle(page);
    await compareCursor(page, curves, `topic ${topic}`);
    await page.mouse.move(5, 5);
  }
  check('topics: no complaint', page.complaints.length === 0, page.complaints.join('; '));
  await page.close();
}

/** Time until a page can be used, against a blank page of the same size in the same browser; the best of some. */
async function isFast(name, path, browser) {
  const blank = join(path, '../blank.html');
  writeFileSync(blank, `<!doctype html><script type="text/plain">${'A'.repeat(1000).concat('\n').repeat(statSync(path).size / 1001)}</script>`);
  const best = {blank: Infinity, page: Infinity};
  for (let i = 0; i < 3; ++i) {
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
  const usual = await page.evaluate(async () => {
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
    return paints.sort((a, b) => a - b)[Math.floor(paints.length / 2)];
  });
  console.log(`large day: half of the jumps through the lanes are painted within ${Math.round(usual)} ms`);
  check('large day: lanes scroll smoothly', usual < 50, usual);
  await page.close();
}

/** A dump of two copies, of which one is stuck: what it cannot tell is not on its page. */
function dump() {
  const record = (id, start, kind, rest) => `RemoteLogSegmentMetadata${kind}{remoteLogSegmentId=RemoteLogSegmentId{` +
    `topicIdPartition=ASNFZ4mrze-O3LqYdlQyEA:orders-0, id=${id}}, startOffset=${start}, endOffset=${start + 99}, brokerId=2, ` +
    `maxTimestampMs=1735689600000, segmentLeaderEpochs={4=${start}}, segmentSizeInBytes=1048576, ${rest}}`;
  const values = [
    record('EREiIjMzRESVVWZmd3eIiA', 0, '', 'eventTimestampMs=1735689600000, state=COPY_SEGMENT_STARTED'),
    record('Lz5NXGt6iZintsXU4_IBEA', 100, '', 'eventTimestampMs=1735689600000, state=COPY_SEGMENT_STARTED'),
    record('EREiIjMzRESVVWZmd3eIiA', 0, 'Update', 'eventTimestampMs=1735711200000, state=COPY_SEGMENT_FINISHED'),
  ];
  return values.map((value, offset) => `partition: 29, offset: ${offset}, value: ${value}\n`).join('');
}

async function importTells() {
  writeFileSync(join(scratch, 'orders.txt'), dump());
  const folder = join(scratch, 'imported');
  flotsam('import', 'orders.txt', '--out', folder, '--overwrite');
  await looksRight('imported', folder, ['#picture-chart', '#lanes-frame']);
  const page = await open(pageOf(folder));
  await lanesRead(page);
  const text = (selector) => page.$eval(selector, (element) => element.textContent);
  check('imported: its sentence', (await text('h1')).includes('1.0 MiB, as the metadata has it, in 1 copy that nobody will read'), await text('h1'));
  check('imported: nothing is said of the metric', (await page.$('#believed-chart')) === null);
  const row = await page.$$eval('.readout tr[data-run] td[data-column]', (cells) =>
    Object.fromEntries(cells.map((cell) => [cell.dataset.column, cell.textContent])));
  for (const column of ['waste_bytes', 'copy_lag_bytes', 'ghost_count']) check(`imported: ${column} is not known`, row[column] === '–', row[column]);
  check('imported: garbage', row['garbage_bytes'] === '2.0 MiB', row['garbage_bytes']);
  check('imported: a row a finding', (await page.$$('tr[data-finding="stuck-copy"]')).length === 1);
  check('imported: nobody can say when it goes', (await text('tr[data-finding]')).includes('not known'));
  await page.click('tr[data-finding] button');
  await settle(page);
  check('imported: a finding leads to its lane', (await page.getAttribute('#lanes-frame', 'data-copies')) === '1');
  await page.close();
}

/** A campaign that fails: its bars are sums over runs.csv, its rows those of failures.csv. */
async function campaignTells() {
  writeFileSync(join(scratch, 'leaky.ini'), `[scenario]\nbase = tiny\nduration = 30m\n[chaos]\nkinds = copy-fail delete-fail crash\nwindow = 1m..4m\n[expect.kafka-4.0]\nmust-break =\n`);
  const folder = join(scratch, 'campaign');
  try {
    flotsam('campaign', './leaky.ini', '--seeds', '1..40', '--policy', 'kafka-4.0', '--policy', 'kip-dangling', '--out', folder, '--overwrite', '--quiet');
    check('campaign: it fails', false);
  } catch (failed) {
    check('campaign: it fails as a leak', failed.status === 3, failed.status);
  }
  flotsam('report', folder);
  await looksRight('campaign', folder, ['#picture-chart', '#lanes-frame']);
  const runs = csv(join(folder, 'runs.csv'));
  const failures = csv(join(folder, 'failures.csv'));
  const page = await open(pageOf(folder));
  await lanesRead(page);
  for (const policy of ['kafka-4.0', 'kip-dangling']) {
    const label = await page.getAttribute(`.tally[data-policy="${policy}"] .tally-bar`, 'aria-label');
    const of = (outcome) => runs.filter((row) => row.policy === policy && row.outcome === outcome).length;
    check(`campaign: outcomes of ${policy}`, label === `${of('clean')} clean, ${of('leak')} leak, ${of('loss')} loss`, label);
  }
  const shown = await page.$$eval('#signatures tr[data-invariant]', (rows) => rows.map((row) => `${row.dataset.invariant} ${row.dataset.count}`).sort());
  const stored = failures.map((row) => `${row.invariant} ${row.count}`).sort();
  check('campaign: a row a signature', shown.length > 0 && JSON.stringify(shown) === JSON.stringify(stored), shown.join());
  const goals = csv(join(folder, 'goals.csv')).filter((row) => row.times === '0').length;
  const text = await page.$eval('#goals', (element) => element.textContent);
  check('campaign: goals that nobody reached', text.startsWith('What the seeds have reached') && text.includes(`${goals} of `), text.slice(0, 120));
  check('campaign: its sentence', (await page.$eval('h1', (head) => head.textContent)).includes('nobody expects'));
  check('campaign: no complaint', page.complaints.length === 0, page.complaints.join('; '));
  await page.close();
}

const browser = await openBrowser();
const policies = flotsam('list', 'policies').trim().split('\n').map((line) => line.split(' ')[0]);
const all = ['#picture-chart', '#believed-chart', '#lanes-frame'];

await importTells();
await campaignTells();

const quiet = report('quiet', 'run', 'quiet', '--policy', 'all');
await looksRight('quiet', quiet, all);

const outage = report('outage', 'run', 's3-outage-4h', '--policy', 'all');
check('s3-outage-4h stays below 3 MB', statSync(pageOf(outage)).size < 3e6, statSync(pageOf(outage)).size);
await looksRight('outage', outage, all);
await cursorTells(outage, policies);
await lanesTell(outage, ['kafka-4.0', 'kip-dangling']);
await keysReachAll(outage);
await headTells(outage, policies);
await truthIsSeen(outage);
await narrowTells(outage);
await lanesSayThatTheyCome(outage);
await isFast('s3-outage-4h', pageOf(outage), browser);

const compared = report('compared', 'compare', 'partial-uploads', '--seeds', '1..10');
await looksRight('compared', compared, []);
await comparisonTells(compared);
await topicsTell();

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
