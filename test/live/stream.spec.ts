import { AgentsService } from '../../src/agents/agents.service.js';
import { CampaignTopic } from '../../src/live/campaign.topic.js';
import { newRecordId } from '../../src/values/record-id.js';
import { draft } from '../campaigns/campaigns.js';
import { openWindow } from '../messages/messages.js';
import { Browser, inRole, linkFor, member, SESSION, signedIn } from '../sessions/browser.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { EventReader } from './event-reader.js';

const STREAM = '/api/v1/stream';
const INBOX_FORM = '<mine|unassigned|all|resolved>?order=<last_inbound|longest_waiting>&waba_phone_id=<id>';
const THREAD_FORM = 'thread:<contact_phone>:<waba_phone_id>';

let world: World;
let account: TestAccount;
let page: Browser;
const readers: EventReader[] = [];
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
let topicReads: jest.SpiedFunction<CampaignTopic['read']>;
beforeEach(async () => {
  topicReads = jest.spyOn(world.parley.app.get(CampaignTopic), 'read');
  account = await world.account();
  page = await inRole(world, account, 'manager');
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
  topicReads.mockRestore();
});

/** Waits until watched campaigns have been read so many times more. */
async function reads(count: number): Promise<void> {
  const before = topicReads.mock.results.length;
  await until('campaigns have been read', () => topicReads.mock.results.length >= before + count);
}

const watch = async (topics: string, of = page): Promise<EventReader> => {
  const reader = await EventReader.open(of, topics);
  readers.push(reader);
  return reader;
};
const newCampaign = async (people = 3): Promise<string> => {
  const { name } = await approvedTemplate(world, account);
  return draft(
    account,
    name,
    Array.from({ length: people }, () => uniquePhone()),
  );
};

describe('a stream', () => {
  it('begins with the time of the server and the state of each topic, uncompressed and for no cache', async () => {
    const id = await newCampaign();
    const reader = await EventReader.open(page, `campaigns,campaign:${id},badges`, { 'accept-encoding': 'gzip' });
    readers.push(reader);
    const { statusCode, headers } = reader.response;
    expect([statusCode, headers['content-type'], headers['cache-control'], headers['x-accel-buffering']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
      'no',
    ]);
    expect(headers['content-encoding']).toBeUndefined();
    const hello = await reader.next('hello');
    expect(hello).toEqual({ server_time: expect.any(String), version: expect.stringMatching(/^main-\w+\.js$/) });
    expect(reader.events[0]?.event).toBe('hello');
    expect(await reader.next('campaigns')).toEqual({ campaigns: [] });
    expect(await reader.next('campaign')).toMatchObject({
      campaign_id: id,
      campaign_status: 'draft',
      total_contacts: 3,
    });
    expect(await reader.next('badges')).toEqual({ waiting: 0, mine_waiting: 0, failing_endpoints: null });
  });

  it('tells how a campaign goes on, with the figures of the API, and is silent when nothing changes', async () => {
    const id = await newCampaign(20);
    const reader = await watch(`campaign:${id},campaigns`);
    await reader.next('campaign');
    await page.post(`/api/v1/campaigns/${id}/send`);
    const last = await reader.next(
      'campaign',
      ({ campaign_status, read_count }) => campaign_status === 'completed' && read_count === 20,
    );
    const { body } = await page.get<{ campaign: Record<string, unknown> }>(`/api/v1/campaigns/${id}`);
    const shown = Object.fromEntries(Object.keys(last).map((name) => [name, body.campaign[name]]));
    expect(last).toEqual(shown);
    await reads(3);
    const texts = reader.events.filter(({ event }) => event === 'campaign').map(({ data }) => JSON.stringify(data));
    expect(texts.filter((text, index) => text === texts[index - 1])).toEqual([]);
  });

  it('tells of a pause and who waits', async () => {
    const slow = await world.account({ throughput: 5 });
    const tab = await inRole(world, slow, 'manager');
    const { name } = await approvedTemplate(world, slow);
    const id = await draft(slow, name, 100);
    const reader = await watch(`campaign:${id},badges`, tab);
    await tab.post(`/api/v1/campaigns/${id}/send`);
    await reader.next('campaign', ({ campaign_status }) => campaign_status === 'running');
    await tab.post(`/api/v1/campaigns/${id}/pause`);
    expect(await reader.next('campaign', ({ paused }) => paused === true)).toMatchObject({
      rate_per_second: null,
      seconds_left: null,
    });
    await tab.post(`/api/v1/campaigns/${id}/cancel`);
    await reader.next('campaign', ({ campaign_status }) => campaign_status === 'cancelled');
    await openWindow(world, slow.phone, uniquePhone(), { text: 'Hello?' });
    expect(await reader.next('badges', ({ waiting }) => waiting === 1)).toMatchObject({ mine_waiting: 0 });
  });

  it('shares what is read between all who watch, and reads nothing when nobody does', async () => {
    const id = await newCampaign();
    const several = [await watch(`campaign:${id}`), await watch(`campaign:${id}`), await watch(`campaign:${id}`)];
    for (const reader of several) await reader.next('campaign');
    several[0]?.close();
    await page.request('POST', `/api/v1/campaigns/${id}/send`);
    for (const reader of several.slice(1)) {
      await reader.next('campaign', ({ campaign_status }) => campaign_status === 'completed');
    }
    const namedIn = (calls: readonly Parameters<CampaignTopic['read']>[]) =>
      calls.map(([watched]) => watched.filter(({ subject }) => subject === id).length);
    await reads(3);
    const whileWatched = namedIn(topicReads.mock.calls);
    expect(Math.max(...whileWatched)).toBe(1);

    const other = await watch(`campaign:${await newCampaign()}`);
    await other.next('campaign');
    for (const reader of several) reader.close();
    await until('nobody watches the campaign', () => namedIn(topicReads.mock.calls).at(-1) === 0);
    const seen = topicReads.mock.calls.length;
    await reads(3);
    expect(namedIn(topicReads.mock.calls.slice(seen))).not.toContain(1);
  });

  it.each([
    ['', 'topics is required'],
    ['orders', `topics must be of campaign:<id>, campaigns, inbox:${INBOX_FORM}, ${THREAD_FORM}, badges (got orders)`],
    ['inbox', `topics has inbox, which must be inbox:${INBOX_FORM}`],
    ['inbox:ours', `topics has inbox:ours, which must be inbox:${INBOX_FORM}`],
    ['inbox:mine?order=name', 'topics has inbox:mine?order=name'],
    ['inbox:mine?search=a', 'topics has inbox:mine?search=a'],
    ['inbox:mine?waba_phone_id=1', 'topics has inbox:mine?waba_phone_id=1'],
    ['thread:4915112345678', `topics has thread:4915112345678, which must be ${THREAD_FORM}`],
    ['thread:x:y', `topics has thread:x:y, which must be ${THREAD_FORM}`],
    ['campaign', 'topics has campaign, which must be campaign:<id>'],
    ['campaign:x', 'topics has campaign:x, which must be campaign:<id>'],
    ['campaigns:x', 'topics has campaigns:x, which must be campaigns'],
    [Array.from({ length: 11 }, () => `campaign:${newRecordId()}`).join(), 'topics must name at most 10 (got 11)'],
  ])('refuses the topics %j (400)', async (topics, message) => {
    const answer = await page.get(`${STREAM}?topics=${encodeURIComponent(topics)}`);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  it('is of the account that it names, of people alone, and of those who may see its topics', async () => {
    const other = await world.account();
    const { name } = await approvedTemplate(world, other);
    const foreign = await draft(other, name, [uniquePhone()]);
    expect((await page.get(`${STREAM}?topics=campaign:${foreign}`)).status).toBe(404);
    expect((await page.tab(null).get(`${STREAM}?topics=campaigns`)).status).toBe(403);
    expect((await page.tab(other.accountId).get(`${STREAM}?topics=campaigns`)).status).toBe(403);
    expect((await account.api.get(`${STREAM}?topics=campaigns`)).status).toBe(403);
    expect((await new Browser(world, account.accountId).get(`${STREAM}?topics=campaigns`)).status).toBe(401);
    const { userId } = await member(world, account);
    const newcomer = new Browser(world, account.accountId);
    await newcomer.signIn({ link: await linkFor(world, userId) });
    expect((await newcomer.get(`${STREAM}?topics=campaigns`)).status).toBe(403);
  });

  it('tells of an endpoint that fails to those who see endpoints', async () => {
    const admin = await inRole(world, account, 'admin');
    const reader = await watch('badges', admin);
    expect(await reader.next('badges')).toEqual({ waiting: 0, mine_waiting: 0, failing_endpoints: 0 });
  });

  it('ends with the session, and when the role changes', async () => {
    const person = await member(world, account, 'manager');
    const tab = await signedIn(world, account.accountId, person);
    const reader = await watch('campaigns', tab);
    await reader.next('campaigns');
    await world.parley.app.get(AgentsService).set(person.userId, { role: 'agent' });
    await reader.next('reset');
    await until('the stream has ended', () => reader.isOver);
    const again = await watch('campaigns', tab);
    await again.next('campaigns');
    await tab.request('DELETE', SESSION);
    await again.next('signed_out');
    await until('the stream has ended', () => again.isOver);
  });

  it('is one of at most 50 of an account; the next is asked to come back', async () => {
    for (let count = 0; count < 50; count += 1) await watch('badges');
    const { status, headers, body } = await page.get(`${STREAM}?topics=badges`);
    expect([status, body, Number(headers.get('retry-after')) > 0]).toEqual([
      503,
      { error: 'unavailable', message: expect.stringMatching(/50 streams of the account are open/) },
      true,
    ]);
    readers.splice(0, 1)[0]?.close();
    await until('there is a place again', async () => {
      const reader = await EventReader.open(page, 'badges');
      readers.push(reader);
      return reader.response.statusCode === 200;
    });
  });

  it('does not keep a process from stopping, and none is opened meanwhile', async () => {
    const stopping = await World.start({ env: { PARLEY_ROLES: 'api', SHUTDOWN_GRACE_MS: '2000' } });
    const own = await stopping.account();
    const tab = await inRole(stopping, own, 'agent');
    const reader = await EventReader.open(tab, 'campaigns');
    await reader.next('campaigns');
    const stopped = stopping.stop();
    await reader.next('reset');
    await until('the stream has ended', () => reader.isOver);
    const refused = await EventReader.open(tab, 'campaigns').catch(() => null);
    expect(refused?.response.statusCode ?? 503).toBe(503);
    await stopped;
  });
});
