import { openWindow, recordOf, report, SEND, secondsAgo } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { changeOf, deliver, unhandledOf } from './inbound.js';

describe('a contact’s consent', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
  });

  const say = (text: string, more: Record<string, unknown> = {}) =>
    openWindow(world, account.phone, contact, { text, ...more });
  const optedIn = async (): Promise<unknown> => {
    const { body } = await account.api.get<{ contacts: { opted_in: boolean }[] }>(
      `/api/v1/contacts/?search=${contact}`,
    );
    return body.contacts[0]?.opted_in;
  };

  it('is given by default', async () => {
    await say('Hello');
    expect(await optedIn()).toBe(true);
  });

  it.each(['STOP', 'stop', ' Stop ', 'UNSUBSCRIBE', 'Unsubscribe', 'OPT OUT', 'opt out'])(
    'is withdrawn by the text %j, and restored by START in any case',
    async (word) => {
      await say(word);
      expect(await optedIn()).toBe(false);
      await say('sTaRt');
      expect(await optedIn()).toBe(true);
    },
  );

  it.each([
    'Stop.',
    'stop!',
    'opt-out',
    'STOP\u200b',
    'STOP\u034f',
    'S\u3164TOP',
    'OPT\u2800OUT',
    '\u202aSTOP\u202c',
    '🛑 Stop 🛑',
    'ＳＴＯＰ',
    '"unsubscribe"',
    'Stop promotions',
  ])('is withdrawn by the text %j', async (text) => {
    await say(text);
    expect(await optedIn()).toBe(false);
  });

  it.each([
    [
      'a choice from a list',
      { type: 'interactive', interactive: { list_reply: { id: 'x', title: 'Stop promotions' } } },
    ],
    ['the id of a choice', { type: 'interactive', interactive: { list_reply: { id: 'opt-out', title: 'Bye' } } }],
    ['an edited text', { type: 'edit', edit: { message: { type: 'text', text: { body: 'Stop.' } } } }],
  ])('is withdrawn by %s', async (_, message) => {
    await say('Hello');
    await deliver(world, account.phone, {
      messages: [{ from: contact, id: `wamid.${uniqueDigits()}`, ...message }],
    });
    expect(await optedIn()).toBe(false);
  });

  describe('in an edited text', () => {
    const edit = (original_message_id: string, text: string, more: Record<string, unknown> = {}) =>
      openWindow(world, account.phone, contact, { type: 'edit', original_message_id, text, ...more });
    const words = async (): Promise<unknown> => {
      const { body } = await account.api.get<{ contacts: { id: string }[] }>(`/api/v1/contacts/?search=${contact}`);
      const id = body.contacts[0]?.id ?? '';
      const { consent } = (await account.api.get<{ consent: unknown[] }>(`/api/v1/contacts/${id}/consent`)).body;
      return { id, consent };
    };

    it('is the person’s word of that moment, and the message is its evidence', async () => {
      const id = `wamid.${uniqueDigits()}`;
      await say('Sotp', { id, timestamp: secondsAgo(60) });
      await edit(id, 'Stop', { timestamp: secondsAgo(30) });
      const { body } = await account.api.get<{ messages: { message_id: string }[] }>('/api/v1/messages/');
      expect(await words()).toMatchObject({
        consent: [{ decision: 'out', by: 'person', evidence: { kind: 'message', id: body.messages[0]?.message_id } }],
      });
      await edit(id, 'Sorry, I meant stamps', { timestamp: secondsAgo(10) });
      expect(await optedIn()).toBe(false);
    });

    it.each([
      ['after its message', ['m', 'e']],
      ['before its message', ['e', 'm']],
      ['to a message that was revoked', ['m', 'r', 'e']],
    ] as const)('counts once, however often it is delivered: %s', async (_, order) => {
      await say('Hello', { timestamp: secondsAgo(120) });
      const id = `wamid.${uniqueDigits()}`;
      const steps = {
        m: () => say('Sotp', { id, timestamp: secondsAgo(90) }),
        e: () => edit(id, 'Stop', { id: `${id}e`, timestamp: secondsAgo(60) }),
        r: () =>
          openWindow(world, account.phone, contact, { type: 'revoke', text: undefined, original_message_id: id }),
      };
      for (const step of order) await steps[step]();
      expect(await optedIn()).toBe(false);
      const { id: contactId } = (await words()) as { id: string };
      await account.api.patch(`/api/v1/contacts/${contactId}`, { opted_in: true });
      for (const step of order) await steps[step]();
      expect(await optedIn()).toBe(true);
    });

    it('counts also when it comes before the first message of the person', async () => {
      const id = `wamid.${uniqueDigits()}`;
      await edit(id, 'Stop', { timestamp: secondsAgo(30) });
      expect(await optedIn()).toBeUndefined();
      await say('Sotp', { id, timestamp: secondsAgo(60) });
      expect(await optedIn()).toBe(false);
    });
  });

  it.each([
    ['button', { text: 'STOP', payload: 'STOP' }],
    ['button', { text: 'No more, thanks', payload: 'stop' }],
    ['button', { text: 'Stop promotions', payload: 'a-payload' }],
    ['button_reply', { button_id: 'b1', title: 'Unsubscribe' }],
    ['button_reply', { button_id: 'opt-out', title: 'Bye' }],
  ])('is withdrawn by a tap (%s, %j)', async (type, tap) => {
    await openWindow(world, account.phone, contact, { type, text: undefined, ...tap });
    expect(await optedIn()).toBe(false);
  });

  it.each(['please stop', 'STOP this noise, I need help with my order', 'stopp', 'OPTOUT', 'to'])(
    'is not changed by the text %j',
    async (text) => {
      await say(text);
      expect(await optedIn()).toBe(true);
    },
  );

  it('is not changed by captions, other buttons or posts in groups that contain a keyword', async () => {
    await openWindow(world, account.phone, contact, {
      type: 'image',
      text: undefined,
      media: { id: '1', caption: 'STOP' },
    });
    await openWindow(world, account.phone, contact, { type: 'button', text: 'Stop the music', payload: 'stop_music' });
    await say('STOP', { group_id: 'a-group' });
    expect(await optedIn()).toBe(true);
  });

  it('follows the organisation’s own keywords instead', async () => {
    await world.unitOfWork.autocommit.affected(
      "UPDATE organisations SET stop_words = '{HALT,Nicht mehr}', start_words = '{weiter}' WHERE id = $1",
      [account.organisationId],
    );
    await say('STOP');
    expect(await optedIn()).toBe(true);
    await say('nicht MEHR');
    expect(await optedIn()).toBe(false);
    await say('START');
    expect(await optedIn()).toBe(false);
    await say('WEITER');
    expect(await optedIn()).toBe(true);
    await openWindow(world, account.phone, contact, { type: 'button', text: 'Stop promotions', payload: 'x' });
    expect(await optedIn()).toBe(false);
  });

  it('follows the default keywords for an account without an organisation', async () => {
    account = await world.account({ organisation: false });
    await say('STOP');
    expect(await optedIn()).toBe(false);
  });

  it('follows the contact’s last keyword, whatever the order of arrival', async () => {
    const now = secondsAgo(0);
    await say('STOP', { timestamp: now - 60 });
    await say('start', { timestamp: now - 120 });
    expect(await optedIn()).toBe(false);
    await say('START', { timestamp: now - 30 });
    await say(' stop\n', { timestamp: now - 40 });
    expect(await optedIn()).toBe(true);
    await say('STOP', { timestamp: now - 30 });
    expect(await optedIn()).toBe(false);
  });

  it('changes once for a keyword that is delivered twice', async () => {
    const id = `wamid.${uniqueDigits()}`;
    await say('STOP', { id });
    await say('START');
    await say('STOP', { id });
    expect(await optedIn()).toBe(true);
  });

  it('is withdrawn once by a refusal for an opt-out (131050), whatever is reported of that message later', async () => {
    await world.simulator.behave({ statuses: [] });
    const { name: template_name } = await approvedTemplate(world, account);
    const { body } = await account.api.post(SEND, { template_name, contact_phone: contact });
    const { network_message_id } = await recordOf(account, body['message_id']);
    const reportStatus = (status: string, errors: unknown[] = []) =>
      report(world, account.phone.phoneNumberId, { id: String(network_message_id), status, errors });
    await reportStatus('failed', [{ code: 131050, title: 'x' }]);
    expect(await optedIn()).toBe(false);
    await say('START');
    await reportStatus('sent');
    await reportStatus('failed', [{ code: 131050, title: 'x' }]);
    expect(await optedIn()).toBe(true);
  });

  describe('follows user_preferences from the network', () => {
    const prefer = async (preference: Record<string, unknown>): Promise<number> => {
      const user_preferences = [{ category: 'marketing_messages', timestamp: secondsAgo(60), ...preference }];
      const value = changeOf(account.phone, { user_preferences });
      return (await world.simulator.callback('user_preferences', value)).callback_status;
    };

    const decide = async (how: string, opted_in: boolean): Promise<void> => {
      if (how === 'import') {
        const raw = `phone_number,opted_in\n${contact},${opted_in}`;
        const headers = { 'content-type': 'text/csv' };
        const { body } = await account.api.post('/api/v1/contacts/import', undefined, { raw, headers });
        expect(body).toMatchObject({ updated: 1, failed: 0 });
        return;
      }
      const { body } = await account.api.get<{ contacts: { id: string }[] }>(`/api/v1/contacts/?search=${contact}`);
      expect((await account.api.patch(`/api/v1/contacts/${body.contacts[0]?.id}`, { opted_in })).status).toBe(200);
    };

    it('stop and resume', async () => {
      await say('Hello');
      expect(await prefer({ wa_id: contact, value: 'stop' })).toBe(200);
      expect(await optedIn()).toBe(false);
      await prefer({ wa_id: contact, value: 'resume' });
      expect(await optedIn()).toBe(true);
    });

    it('where the latest preference or keyword counts, whatever the order of arrival', async () => {
      const now = secondsAgo(0);
      await say('Hello');
      await prefer({ wa_id: contact, value: 'stop', timestamp: now - 60 });
      await prefer({ wa_id: contact, value: 'resume', timestamp: now - 90 });
      expect(await optedIn()).toBe(false);
      await say('START', { timestamp: now - 30 });
      await prefer({ wa_id: contact, value: 'stop', timestamp: now - 40 });
      expect(await optedIn()).toBe(true);
      await prefer({ wa_id: contact, value: 'stop', timestamp: Number(secondsAgo(-3600)) });
      await say('START');
      expect(await optedIn()).toBe(true);
    });

    it('unless the account has decided since', async () => {
      await say('Hello');
      const { body } = await account.api.get<{ contacts: { id: string }[] }>(`/api/v1/contacts/?search=${contact}`);
      const path = `/api/v1/contacts/${body.contacts[0]?.id}`;
      await account.api.patch(path, { opted_in: false });
      await prefer({ wa_id: contact, value: 'resume', timestamp: Number(secondsAgo(60)) });
      expect(await optedIn()).toBe(false);
      await account.api.patch(path, { opted_in: true });
      await say('STOP');
      expect(await optedIn()).toBe(false);
    });

    it.each(['PATCH', 'import'])(
      'where an opt-out by the account takes effect when it is made, even a repeated one (%s)',
      async (how) => {
        await say('STOP', { timestamp: secondsAgo(100) });
        await decide(how, false);
        await say('START', { timestamp: secondsAgo(50) });
        expect(await optedIn()).toBe(false);
      },
    );

    it.each(['PATCH', 'import'])('where a repeated opt-in by the account keeps its timestamp (%s)', async (how) => {
      await say('Hello');
      await decide(how, true);
      await say('STOP', { timestamp: secondsAgo(10) });
      expect(await optedIn()).toBe(false);
    });

    it('and dates a notice from the future as now', async () => {
      await say('Hello');
      expect(await prefer({ wa_id: contact, value: 'stop', timestamp: 1e16 })).toBe(200);
      expect(await optedIn()).toBe(false);
      await say('START');
      expect(await optedIn()).toBe(true);
    });

    it('also for a contact named only by a business-scoped id', async () => {
      const user_id = `DE.${uniqueDigits()}`;
      const message = { from: contact, id: `wamid.${user_id}`, type: 'text', text: { body: 'Hi' } };
      await deliver(world, account.phone, { contacts: [{ wa_id: contact, user_id }], messages: [message] });
      await prefer({ user_id, value: 'stop' });
      expect(await optedIn()).toBe(false);
    });

    it('where a sign-up opts in', async () => {
      await say('STOP', { timestamp: secondsAgo(100) });
      await prefer({ wa_id: contact, value: 'signup', timestamp: Number(secondsAgo(50)) });
      expect(await optedIn()).toBe(true);
    });

    it('and keeps those about people who are no contact yet, by number and user id', async () => {
      const user_id = `DE.${uniqueDigits()}`;
      await prefer({ wa_id: contact, user_id, value: 'stop', timestamp: Number(secondsAgo(60)) });
      await say('Hello');
      expect(await optedIn()).toBe(false);
      const hidden = { from_user_id: user_id, id: `wamid.${user_id}`, type: 'text', text: { body: 'Hi' } };
      await deliver(world, account.phone, { contacts: [{ user_id }], messages: [hidden] });
      const { body } = await account.api.get<{ contacts: { opted_in: boolean }[] }>('/api/v1/contacts/');
      expect(body.contacts.map(({ opted_in }) => opted_in)).toEqual([false, false]);
    });

    it('and forgets them when the person resumes before they become a contact', async () => {
      const now = secondsAgo(0);
      await prefer({ wa_id: contact, value: 'stop', timestamp: now - 60 });
      await prefer({ wa_id: contact, value: 'resume', timestamp: now - 90 });
      await prefer({ wa_id: contact, value: 'resume', timestamp: now - 30 });
      await say('Hello');
      expect(await optedIn()).toBe(true);
    });

    it('and applies them when a contact learns the user id of the person', async () => {
      const user_id = `DE.${uniqueDigits()}`;
      await prefer({ user_id, value: 'stop', timestamp: Number(secondsAgo(60)) });
      await say('Hello');
      expect(await optedIn()).toBe(true);
      const message = {
        from: contact,
        from_user_id: user_id,
        id: `wamid.${user_id}`,
        type: 'text',
        text: { body: 'Hi' },
      };
      await deliver(world, account.phone, { contacts: [{ wa_id: contact, user_id }], messages: [message] });
      expect(await optedIn()).toBe(false);
    });

    it('and records those about other topics', async () => {
      await say('Hello');
      expect(await prefer({ wa_id: contact, category: 'utility_messages', value: 'stop' })).toBe(200);
      expect(await prefer({ wa_id: contact, value: 'whatever' })).toBe(200);
      expect(await optedIn()).toBe(true);
      expect(await unhandledOf(world, account.accountId)).toHaveLength(2);
    });
  });
});
