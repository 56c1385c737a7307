import { Redis } from 'ioredis';
import { pathOf, untilCampaign } from '../campaigns/campaigns.js';
import { deliver } from '../inbound/inbound.js';
import { SEND_MESSAGE } from '../messages/messages.js';
import { freshDatabase } from '../support/database.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { uniqueDigits, uniquePhone, World } from '../support/world.js';
import { deliveriesOf, subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';

const onRedis = redisFound ? it : it.skip;
if (!redisFound) console.warn('redis-server is not on the PATH: what is sent to it is not looked at');

onRedis('nothing that is sent to Redis names a contact, or holds a code, a key or a secret', async () => {
  const redis = await TestRedis.start();
  const monitor = await new Redis(redis.url).monitor();
  const commands: string[] = [];
  monitor.on('monitor', (_time: string, args: string[]) => commands.push(args.join(' ')));
  const receiver = await Receiver.listen();
  const world = await World.start({ databaseUrl: await freshDatabase(), env: { REDIS_URL: redis.url } });
  try {
    const account = await world.account();
    const phone = uniquePhone();
    const [name, code, text] = [`Quill${uniqueDigits()}`, 'Zx81Qk', `secret${uniqueDigits()}`];
    const webhookId = await subscribe(account, { url: receiver.url('/path-of-a-customer') });
    const headers = { 'idempotency-key': `key-${phone}` };
    await account.api.post('/api/v1/contacts/', { phone_number: phone, first_name: name }, { headers });
    const inbound = { from: phone, id: `wamid.${phone}`, type: 'text', text: { body: text } };
    await deliver(world, account.phone, { contacts: [{ wa_id: phone, profile: { name } }], messages: [inbound] });
    await account.api.post(SEND_MESSAGE, { contact_phone: phone, message_type: 'text', message: text });
    await account.api.get(`/api/v1/contacts/?search=${name}`);
    const template = await approvedTemplate(world, account, { category: 'AUTHENTICATION', body: undefined });
    const { body } = await account.api.post('/api/v1/campaigns/', {
      name: 'Codes',
      template_name: template.name,
      contacts: [{ phone, body_data: { '1': code } }],
    });
    const id = String(body['campaign_id']);
    await account.api.post(pathOf(id, '/send'));
    await untilCampaign(account, id, 'completed');
    await until('everything was delivered', async () =>
      (await deliveriesOf(account, webhookId)).every(({ status }) => status === 'delivered'),
    );
    const sent = commands.join('\n');
    expect(sent).toContain('campaign.dispatch.v1');
    const hidden = [phone, name, code, text, account.apiKey, account.apiKey.slice(21), 'path-of-a-customer'];
    expect(hidden.filter((value) => sent.includes(value))).toEqual([]);
  } finally {
    monitor.disconnect();
    await world.stop();
    await receiver.close();
    await redis.stop();
  }
});
