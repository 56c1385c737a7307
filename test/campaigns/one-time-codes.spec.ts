import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { receivedBy } from '../inbound/inbound.js';
import { recordOf, sentUpstream } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  campaignOf,
  draft,
  lostPhone,
  PATIENT,
  recipientsOf,
  refusedPhone,
  started,
  untilCampaign,
} from './campaigns.js';

const SHARED = 'shared-code';

interface Codes {
  readonly campaign: string | null;
  /** By position. */
  readonly recipients: (string | null)[];
}

describe('one-time codes of a campaign', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ statuses: [] });
  });
  beforeEach(async () => {
    account = await world.account({ credits: 100 });
    template = await approvedTemplate(world, account, { category: 'AUTHENTICATION', body: undefined });
  });
  afterEach(() => world.simulator.behave({ error: null }));
  afterAll(() => world.stop());

  const withCode = (phone: string, code: string) => ({ phone, body_data: { '1': code } });
  const contacts = (...given: { phone: string; reference?: string }[]) => ({ contacts: given });
  const storedCodes = async (id: string): Promise<Codes> => {
    const tx = world.unitOfWork.autocommit;
    const campaign = await tx.row<{ code: string | null }>(
      'SELECT code FROM campaigns WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    const recipients = await tx.rows<{ code: string | null }>(
      'SELECT code FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 ORDER BY position',
      [account.accountId, id],
    );
    return { campaign: campaign?.code ?? null, recipients: recipients.map(({ code }) => code) };
  };
  const untilDeleted = (id: string) =>
    until('its codes are deleted', async () => {
      const { campaign, recipients } = await storedCodes(id);
      return campaign === null && recipients.every((code) => code === null);
    });
  /** The codes that the network received, by recipient. */
  const sentCodes = async (): Promise<Record<string, unknown>> => {
    const requests = (await sentUpstream(world, account.phone)) as {
      to: string;
      template: { components: { parameters: { text: string }[] }[] };
    }[];
    return Object.fromEntries(
      requests.map(({ to, template: { components } }) => [
        to.replace('+', ''),
        components.map(({ parameters }) => parameters.map(({ text }) => text).join()).join(),
      ]),
    );
  };

  it('reach each recipient, its own before the shared one, and are deleted', async () => {
    const [own, shared] = [uniquePhone(), uniquePhone()];
    const id = await draft(account, template.name, 0, {
      ...contacts(withCode(own, 'own-code'), { phone: shared }),
      body_data: { ' 1 ': SHARED, surplus: SHARED },
      button_params: [{ index: 0, url_param: SHARED }],
    });
    expect(await storedCodes(id)).toEqual({
      campaign: expect.stringMatching(/^v1\.k1\./),
      recipients: [expect.stringMatching(/^v1\.k1\./), null],
    });
    const record = await campaignOf(account, id);
    expect(record).toMatchObject({ body_data: { '1': '•' }, button_params: [] });
    expect((await act(account, id, 'send')).status).toBe(202);
    await untilCampaign(account, id, 'completed');
    expect(await sentCodes()).toEqual({ [own]: 'own-code,own-code', [shared]: `${SHARED},${SHARED}` });
    for (const { message_id } of await recipientsOf(account, id)) {
      const { content } = await recordOf(account, message_id);
      expect(content).toContain('•');
      expect(content).not.toContain('code-');
      expect(content).not.toContain('-code');
    }
    await untilDeleted(id);
    expect(await campaignOf(account, id)).toMatchObject({ body_data: { '1': '•' } });
  });

  it('keep the references of their recipients', async () => {
    const [own, shared] = [uniquePhone(), uniquePhone()];
    const id = await draft(account, template.name, 0, {
      ...contacts({ ...withCode(own, 'own-code'), reference: 'one' }, { phone: shared, reference: 'two' }),
      body_data: { '1': SHARED },
    });
    expect((await act(account, id, 'send')).status).toBe(202);
    await untilCampaign(account, id, 'completed');
    expect(await sentCodes()).toEqual({ [own]: 'own-code,own-code', [shared]: `${SHARED},${SHARED}` });
    const references = (await recipientsOf(account, id)).map(async ({ contact_phone, message_id }) => {
      return [contact_phone, ((await recordOf(account, message_id)) as { reference?: string }).reference];
    });
    expect(Object.fromEntries(await Promise.all(references))).toEqual({ [own]: 'one', [shared]: 'two' });
  });

  it('stay with a recipient whose contact is merged, encrypted until they are sent or settled', async () => {
    const phone = uniquePhone();
    const userId = userIdOf(phone);
    const hidden = async (): Promise<string> => {
      const sender = { phone_number_id: account.phone.phoneNumberId, from_user_id: userId };
      await world.simulator.inbound({ type: 'text', text: 'Hidden', ...sender });
      return (await receivedBy(account)).at(-1)?.contact_id ?? '';
    };
    await account.api.post('/api/v1/contacts/', { phone_number: phone, first_name: 'Ada' });
    const gone = await hidden();
    // The first goes to the contact that is merged; the second to both, of which one is left over.
    const alone = await draft(account, template.name, 0, contacts(withCode(uniquePhone(), 'alone-code')));
    const both = await draft(
      account,
      template.name,
      0,
      contacts(withCode(phone, 'kept-code'), withCode(uniquePhone(), 'gone-code')),
    );
    for (const [id, position] of [
      [alone, 0],
      [both, 1],
    ] as const) {
      await world.unitOfWork.autocommit.affected(
        'UPDATE campaign_recipients SET contact_id = $4 WHERE account_id = $1 AND campaign_id = $2 AND position = $3',
        [account.accountId, id, position, gone],
      );
    }
    await world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from: phone,
      type: 'text',
      text: 'Revealed',
    });
    const { body } = await account.api.get<{ contact: { id: string; phone_number: string } }>(
      `/api/v1/contacts/${gone}`,
    );
    expect(body.contact).toMatchObject({ phone_number: phone, id: expect.not.stringMatching(gone) });
    for (const id of [alone, both]) {
      for (const path of ['', '/recipients', '/recipients.csv']) {
        const { text } = await account.api.get(`/api/v1/campaigns/${id}${path}`);
        expect(text).not.toContain('-code');
      }
      const { recipients } = await storedCodes(id);
      // The recipient that is left over is cancelled, and its code is removed.
      const kept = recipients.filter((code) => code !== null);
      expect(kept).toEqual([expect.stringMatching(/^v1\.k1\./)]);
      expect((await act(account, id, 'send')).status).toBe(202);
      await untilCampaign(account, id, 'completed');
      await untilDeleted(id);
    }
    const sent = JSON.stringify(await sentUpstream(world, account.phone));
    expect(['alone-code', 'kept-code', 'gone-code'].map((code) => sent.includes(code))).toEqual([true, true, false]);
  });

  it('may all be the recipients’ own, and one that is missing is named', async () => {
    const phone = uniquePhone();
    const body = { name: 'Codes', template_name: template.name };
    const incomplete = await account.api.post('/api/v1/campaigns/', {
      ...body,
      contacts: [withCode(phone, 'a'), { phone: '491511111111' }],
    });
    expect({ status: incomplete.status, message: incomplete.body['message'] }).toEqual({
      status: 400,
      message: `template ${template.name} requires values that these contacts lack: 491511111111 (body_data.1)`,
    });
    const id = await started(account, template.name, 0, contacts(withCode(phone, 'a')));
    await untilCampaign(account, id, 'completed');
    expect(await campaignOf(account, id)).toMatchObject({ body_data: {} });
    expect(await sentCodes()).toEqual({ [phone]: 'a,a' });
    await untilDeleted(id);
  });

  it('may come from the contact', async () => {
    const phone = uniquePhone();
    await account.api.post('/api/v1/contacts/', { phone_number: phone, first_name: 'Ada', company: 'contact-code' });
    const id = await started(account, template.name, [phone], {
      body_data: { '1': { contact_field: 'company', fallback: 'fallback' } },
    });
    await untilCampaign(account, id, 'completed');
    expect(await sentCodes()).toEqual({ [phone]: 'contact-code,contact-code' });
  });

  it('are deleted when a recipient was refused, cancelled or its outcome is unknown, and nobody is retryable', async () => {
    const phones = [refusedPhone(), lostPhone()];
    const id = await started(
      account,
      template.name,
      0,
      contacts(...phones.map((phone, index) => withCode(phone, `code-${index}`))),
    );
    await untilDeleted(id);
    const cancelled = await draft(account, template.name, 0, contacts(withCode(uniquePhone(), 'unsent')));
    expect((await act(account, cancelled, 'cancel')).status).toBe(200);
    await untilDeleted(cancelled);
  });

  it('are kept while the network asks to try later, and the recipient is not retryable when it gives up', async () => {
    await world.simulator.behave({ error: { code: 131000, rate: 1 } });
    const id = await started(account, template.name, 0, contacts(withCode(uniquePhone(), 'patient')));
    const tx = world.unitOfWork.autocommit;
    await until('it was tried again, and waits', async () => {
      const waiting = await tx.affected(
        `UPDATE campaign_recipients SET due_at = now() + interval '1 hour'
         WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending' AND attempts > 1`,
        [account.accountId, id],
      );
      return waiting === 1;
    });
    const codes = Object.values(await sentCodes());
    expect(codes).toEqual(['patient,patient']);
    expect((await storedCodes(id)).recipients).toEqual([expect.stringMatching(/^v1\./)]);
    // The next attempt is its last.
    await tx.affected(
      'UPDATE campaign_recipients SET attempts = 4, due_at = now() WHERE account_id = $1 AND campaign_id = $2',
      [account.accountId, id],
    );
    await untilCampaign(account, id, 'completed');
    await untilDeleted(id);
    await until('its message has failed', async () => (await recipientsOf(account, id))[0]?.status === 'failed');
    expect(await recipientsOf(account, id)).toMatchObject([{ retryable: false }]);
    const { status, body } = await act(account, id, 'retry-failed');
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: expect.stringContaining('one-time codes are deleted when they have been sent or have failed'),
    });
  });

  it('survive a stop, and a campaign whose codes cannot be decrypted stops before anybody is claimed', async () => {
    const ids = [
      await draft(account, template.name, 1, { body_data: { '1': SHARED } }),
      await draft(account, template.name, 0, contacts(withCode(uniquePhone(), 'mine'))),
    ];
    const tx = world.unitOfWork.autocommit;
    const rename = (from: string, to: string) =>
      Promise.all(
        ['campaigns', 'campaign_recipients'].map((table) =>
          tx.affected(`UPDATE ${table} SET code = replace(code, $2, $3) WHERE account_id = $1`, [
            account.accountId,
            `v1.${from}.`,
            `v1.${to}.`,
          ]),
        ),
      );
    await rename('k1', 'k0');
    for (const id of ids) {
      expect((await act(account, id, 'send')).status).toBe(202);
      const { failure_reason } = await untilCampaign(account, id, 'failed');
      expect(failure_reason).toMatch(/^(?:campaigns|campaign_recipients)\.code of /);
      expect(failure_reason).toContain(
        'is encrypted with key "k0", which is not configured. Start the service with the key that encrypted it in ' +
          'ENCRYPTION_KEY. Resume the campaign once that is done',
      );
      expect(await recipientsOf(account, id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    }
    await rename('k0', 'k1');
    for (const id of ids) {
      expect((await act(account, id, 'resume')).status).toBe(200);
      await untilCampaign(account, id, 'completed');
      await untilDeleted(id);
    }
    expect(Object.values(await sentCodes()).sort()).toEqual(['mine,mine', `${SHARED},${SHARED}`]);
  });

  it('never go out if they are gone: the recipient fails', async () => {
    const id = await draft(account, template.name, 0, {
      ...contacts(withCode(uniquePhone(), 'own')),
      body_data: { '1': SHARED },
    });
    await world.unitOfWork.autocommit.affected('UPDATE campaign_recipients SET code = NULL WHERE account_id = $1', [
      account.accountId,
    ]);
    expect((await act(account, id, 'send')).status).toBe(202);
    await untilCampaign(account, id, 'completed');
    expect(await recipientsOf(account, id)).toMatchObject([
      { status: 'failed', error_code: 900006, error_message: 'The one-time code of the contact is no longer stored.' },
    ]);
    expect(await sentCodes()).toEqual({});
  });

  it('are erased with their contact, and shown to it as a mask', async () => {
    const id = await draft(account, template.name, 0, contacts(withCode(uniquePhone(), 'unsent')));
    const [recipient] = await recipientsOf(account, id);
    const path = `/api/v1/contacts/${recipient?.contact_id}`;
    const { body } = await account.api.get(`${path}/export`);
    expect(body).toMatchObject({ recipients: [{ campaign_id: id, code: '•' }] });
    expect((await account.api.delete(`${path}?erase=true`)).status).toBe(200);
    await untilDeleted(id);
  });

  it('are sent at the time of a scheduled campaign', async () => {
    const phone = uniquePhone();
    const id = await draft(account, template.name, [phone], {
      body_data: { '1': SHARED },
      scheduled_at: '2099-01-31T09:00:00Z',
    });
    await world.unitOfWork.autocommit.affected(
      'UPDATE campaigns SET scheduled_at = now() WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    await untilCampaign(account, id, 'completed');
    expect(await sentCodes()).toEqual({ [phone]: `${SHARED},${SHARED}` });
    await untilDeleted(id);
  });
});
