// `npm run console:pictures`: takes pictures of every screen of the console, wide and narrow, light and dark, and writes
// them to docs/console/. Runs a sandbox of its own; needs Chromium.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { holdDataDirectory } from './data-directory.mjs';
import { ensureInstalled, root } from './install.mjs';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'];
const FOLDER = path.join(root, 'docs', 'console');
/** High enough for what matters: whole pages would be ten times as large, with bars that stick in the middle. */
const SIZES = [
  { width: 1440, height: 1000 },
  { width: 360, height: 1200 },
];
const THEMES = ['light', 'dark'];
const TIMEOUT_MS = 60_000;
const COMPLETED = { name: 'Spring invitation', people: 400 };
/** Those who tap or answer, 17 of a hundred, do it last. */
const REPLIED = 68;
/** Slow enough to be running while all its pictures are taken. */
const RUNNING = { name: 'Garden opening', people: 1200 };
/** How far the running one is before the first picture. */
const SENT = 400;

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-pictures-'));
const stops = [() => fs.rmSync(dataDir, { recursive: true, force: true })];
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => interruption.abort());
let code = 0;
try {
  await takePictures();
} catch (error) {
  code = interruption.signal.aborted ? 130 : 1;
  if (code === 1) console.error(error.message);
} finally {
  for (const stop of stops.reverse()) await stop();
}
process.exit(code);

async function takePictures() {
  await ensureInstalled({ development: true });
  const executablePath = CHROMIUM.find((file) => fs.existsSync(file));
  if (executablePath === undefined) throw new Error('Chromium is not installed: apt-get install chromium');
  const dist = await build({ use: true });
  process.setSourceMapsEnabled(true);
  const load = (file) => import(pathToFileURL(path.join(dist, file)).href);

  const sandbox = await startSandbox(load);
  const cookie = await signIn(sandbox);
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ args: FLAGS, executablePath });
  stops.push(() => browser.close());
  fs.mkdirSync(FOLDER, { recursive: true });
  const take = (screens) => takePicturesOf(screens, browser, sandbox, cookie);
  // Before hundreds answer the campaigns, in the same inbox.
  await take(inboxScreens(sandbox, await letCustomersWrite(load, sandbox, cookie)));
  await take(campaignScreens(sandbox, await sendCampaigns(load, sandbox, cookie)));
}

/** Takes pictures of screens in every size and theme. */
async function takePicturesOf(screens, browser, sandbox, cookie) {
  for (const viewport of SIZES) {
    for (const theme of THEMES) {
      const context = await browser.newContext({
        viewport,
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
      });
      context.setDefaultTimeout(TIMEOUT_MS);
      const at = (screen) => path.join(FOLDER, `${screen}-${viewport.width}-${theme}.png`);
      const page = await context.newPage();
      for (const { name, address, isPublic, shows } of screens) {
        interruption.signal.throwIfAborted();
        if (!isPublic) await context.addCookies([{ ...cookie, url: sandbox.base_url }]);
        await page.goto(sandbox.base_url + address);
        for (const text of shows) await page.getByText(text).first().waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        await page.evaluate('document.fonts.ready.then(() => undefined)');
        const picture = await page.screenshot({ path: at(name), animations: 'disabled' });
        console.log(`${path.relative(root, at(name))}  ${Math.ceil(picture.length / 1024)} KB`);
      }
      await context.close();
    }
  }
}

/** The screens of the inbox, with texts that they show once everything is there. */
function inboxScreens({ account_id: account }, { open, closed }) {
  const inside = `/console/${account}`;
  return [
    { name: 'inbox', address: `${inside}/inbox/${open}?view=all`, shows: ['Second cracked one', 'Write freely'] },
    { name: 'inbox-closed', address: `${inside}/inbox/${closed}?view=all`, shows: ['The window closed', 'Utility'] },
    { name: 'settings-inbox', address: `${inside}/settings/inbox`, shows: ['Tell people that'] },
    { name: 'settings-saved-replies', address: `${inside}/settings/saved-replies`, shows: ['Parcel on its way'] },
  ];
}

/** The screens of campaigns, and those of whoever sends them. */
function campaignScreens({ account_id: account }, { completed, running }) {
  const inside = `/console/${account}`;
  return [
    { name: 'sign-in', address: '/console/sign-in', isPublic: true, shows: ['Forgotten?'] },
    { name: 'campaigns', address: `${inside}/campaigns`, shows: [COMPLETED.name, RUNNING.name] },
    { name: 'campaign-live', address: `${inside}/campaigns/${running}`, shows: [RUNNING.name, 'a second', '(131026)'] },
    {
      name: 'campaign-completed',
      address: `${inside}/campaigns/${completed}`,
      shows: [COMPLETED.name, '(131026)', '(131049)'],
    },
    { name: 'settings-you', address: `${inside}/settings/you`, shows: ['This one'] },
  ];
}

async function startSandbox(load) {
  const lock = holdDataDirectory(dataDir);
  stops.push(() => lock.release());
  const { startSandbox: start } = await load('sandbox/main.js');
  // No database, network or console settings of this shell.
  const environment = { PATH: process.env.PATH, PORT: '0' };
  const sandbox = await start({ dataDir, environment, signal: interruption.signal });
  stops.push(() => sandbox.stop());
  return sandbox.details;
}

/** Customers write; one was answered, with a note beside it. Returns the addresses of two threads. */
async function letCustomersWrite(load, sandbox, cookie) {
  const { JsonApi } = await load('src/cli/json-api.js');
  const { STORIES } = await load('sandbox/demo/customer-stories.js');
  const { ensureAnswerTemplate, phoneOf, writeAs } = await load('sandbox/demo/inbox.js');
  const { Parley } = await load('clients/typescript/src/index.js');
  const simulator = new JsonApi({ baseUrl: sandbox.simulator_url, apiKey: 'simulated', absent: 'no simulator' });
  const parley = new Parley({
    baseUrl: sandbox.base_url,
    headers: () => ({
      cookie: `${cookie.name}=${cookie.value}`,
      'parley-account': sandbox.account_id,
      'sec-fetch-site': 'same-origin',
    }),
  });
  await ensureAnswerTemplate(parley);
  await parley.savedReplies.create({
    name: 'Parcel on its way',
    text: 'Hello {{first_name}}, your parcel left us today.',
  });
  for (const [index, { name, opens, hoursAgo = 0 }] of STORIES.entries()) {
    const at = Date.now() - hoursAgo * 3_600_000 - (STORIES.length - index) * 60_000;
    for (const line of opens) await writeAs(simulator, sandbox, { name, phone: phoneOf(index) }, line, at);
  }
  const named = (name) => phoneOf(STORIES.findIndex((story) => story.name === name));
  const [greta, wiktor] = [named('Greta Holmvik'), named('Wiktor Zalenko')];
  const [phone] = sandbox.business_phones;
  await parley.conversations.assign(greta, { user_id: sandbox.user_id });
  await parley.conversations.addNote(greta, {
    text: 'Second cracked one this week. Ask for the number under the base.',
  });
  const message = 'Of course. Could you tell me the number stamped under the base?';
  await parley.messages.sendMessage({ contact_phone: greta, message_type: 'text', message });
  await sleep(2000);
  await writeAs(simulator, sandbox, { name: 'Greta Holmvik', phone: greta }, 'It says TC-0417.', Date.now());
  return { open: `${greta}/${phone.waba_phone_id}`, closed: `${wiktor}/${phone.waba_phone_id}` };
}

/** Signs the owner in; returns the cookie. */
async function signIn({ base_url, console_link }) {
  const response = await fetch(`${base_url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ link: new URL(console_link).hash.slice(1) }),
  });
  const [pair = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  const [name, value] = pair.split('=');
  if (!response.ok || !value) throw new Error(`Signing in was answered with ${response.status}.`);
  return { name, value };
}

/** Sends one campaign until everything is reported, and half of another; returns their ids. */
async function sendCampaigns(load, sandbox, { name, value }) {
  const { Parley } = await load('clients/typescript/src/index.js');
  const { Operator } = await load('src/cli/operator.js');
  const { readCliSettings } = await load('src/cli/cli-settings.js');
  const { ensureDemoPhone } = await load('sandbox/demo/demo-phone.js');
  const { createSpringCampaign, ensureSpringTemplate } = await load('sandbox/demo/spring-campaign.js');
  // The pictures say who has started a campaign.
  const headers = {
    cookie: `${name}=${value}`,
    'parley-account': sandbox.account_id,
    'sec-fetch-site': 'same-origin',
  };
  const parley = new Parley({ baseUrl: sandbox.base_url, headers: () => headers });
  const until = async (id, isReached) => {
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(500)) {
      interruption.signal.throwIfAborted();
      const stats = await parley.campaigns.stats(id);
      if (isReached(stats)) return;
    }
    throw new Error(`The campaign ${id} is not where it should be after ${TIMEOUT_MS / 1000} s.`);
  };

  await ensureSpringTemplate(parley);
  const completed = await createSpringCampaign(parley, COMPLETED);
  await parley.campaigns.send(completed);
  await until(
    completed,
    ({ campaign_status, replied_count }) => campaign_status === 'completed' && replied_count === REPLIED,
  );

  const operator = await Operator.connect(readCliSettings({ DATA_DIR: dataDir }));
  const phoneId = await ensureDemoPhone(sandbox, parley, operator).finally(() => operator.disconnect());
  const running = await createSpringCampaign(parley, { ...RUNNING, phoneId });
  await parley.campaigns.send(running);
  await until(running, ({ sent_count }) => sent_count >= SENT);
  return { completed, running };
}
