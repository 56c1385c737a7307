import { randomUUID } from 'node:crypto';
import { newRecordId } from '../../src/values/record-id.js';
import { campaignOf, draft, sentTo, started, untilCampaign } from '../campaigns/campaigns.js';
import { openWindow, recordOf, SEND, SEND_MESSAGE, sentUpstream, untilStatus } from '../messages/messages.js';
import { SAMPLES } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { ageCopy, ageUpload, forgetUpstream, networkIdOf, upload, uploadsUpstream } from './uploads.js';

const PDF = { type: 'application/pdf', filename: 'Offer.pdf', bytes: SAMPLES.PDF };

describe('sending an uploaded file', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world?.stop());
  beforeEach(async () => {
    account = await world.account();
    await world.simulator.behave({ upload_fault: null, statuses: ['sent'], status_delay_ms: 0 });
  });

  const send = async (fields: Record<string, unknown>, to = uniquePhone()) => {
    await openWindow(world, account.phone, to);
    return account.api.post<{ message_id: string; error: string; message: string }>(SEND_MESSAGE, {
      contact_phone: to,
      ...fields,
    });
  };

  const imageTemplate = async (): Promise<{ name: string; id: string; fileId: string }> => {
    const fileId = await upload(account);
    const template = await approvedTemplate(world, account, { header: { format: 'IMAGE' }, media_id: fileId });
    return { ...template, fileId };
  };

  it.each([
    ['image', { type: 'image/png', bytes: SAMPLES.PNG }, {}],
    ['video', { type: 'video/mp4', bytes: SAMPLES.MP4 }, {}],
    ['audio', { type: 'audio/ogg', bytes: SAMPLES.OGG }, {}],
    ['document', PDF, { filename: 'Offer.pdf' }],
    ['sticker', { type: 'image/webp', bytes: SAMPLES.WEBP }, {}],
  ])('sends %s by the network’s id, and uploads it once', async (message_type, part, more) => {
    const media_id = await upload(account, part);
    for (const _ of [1, 2]) expect(await send({ message_type, media_id })).toMatchObject({ status: 200 });
    expect(await uploadsUpstream(world, account.phone)).toBe(1);
    const id = await networkIdOf(world, account, media_id);
    const bodies = await sentUpstream(world, account.phone);
    expect(bodies.map((body) => body[message_type])).toEqual([
      { id, ...more },
      { id, ...more },
    ]);
  });

  it('shows it in the record, and serves it until its time is over', async () => {
    const media_id = await upload(account, PDF);
    const { body } = await send({ message_type: 'document', media_id });
    const record = await recordOf(account, body.message_id);
    const url = `/api/v1/messages/${body.message_id}/media`;
    expect(record).toMatchObject({
      media: { media_id, url, status: 'stored', mime_type: 'application/pdf', filename: 'Offer.pdf' },
    });
    const served = await fetch(world.baseUrl + url, { headers: { authorization: `Bearer ${account.apiKey}` } });
    expect(Buffer.from(await served.arrayBuffer())).toEqual(SAMPLES.PDF);
    await world.unitOfWork.autocommit.affected('DELETE FROM uploaded_files WHERE account_id = $1 AND id = $2', [
      account.accountId,
      media_id,
    ]);
    expect(await account.api.get(url)).toMatchObject({ status: 404, body: { error: 'media_gone' } });
  });

  it('uploads it for each phone, because an id belongs to the phone that uploaded it', async () => {
    const two = await world.account({ phones: 2 });
    const media_id = await upload(two);
    const to = uniquePhone();
    for (const phone of two.phones) {
      await openWindow(world, phone, to);
      const body = { contact_phone: to, message_type: 'image', media_id, waba_phone_id: phone.id };
      expect((await two.api.post(SEND_MESSAGE, body)).status).toBe(200);
      expect(await uploadsUpstream(world, phone)).toBe(1);
    }
  });

  it('refuses a file of another kind (400), and two names for a file (400)', async () => {
    const media_id = await upload(account, PDF);
    expect(await send({ message_type: 'image', media_id })).toMatchObject({
      status: 400,
      body: { message: 'media_id is application/pdf: an image must be one of JPEG, PNG' },
    });
    expect(await send({ message_type: 'document', media_id, media_url: 'https://example.com/a.pdf' })).toMatchObject({
      status: 400,
      body: { message: 'media_id cannot be combined with media_url: give one of them' },
    });
    expect(await sentUpstream(world, account.phone)).toEqual([]);
  });

  it('answers 404 to unknown, foreign and expired ids, everywhere', async () => {
    const { name, fileId } = await imageTemplate();
    const foreign = await upload(await world.account());
    const expired = await upload(account);
    await ageUpload(world, account, expired, 31);
    for (const media_id of [newRecordId(), foreign, expired]) {
      const body = {
        error: 'not_found',
        message: expect.stringContaining(`media_id ${media_id} is not the id of a file`),
      };
      const answers = await Promise.all([
        send({ message_type: 'image', media_id }),
        account.api.post(SEND, { template_name: name, contact_phone: uniquePhone(), media_id }),
        account.api.post('/api/v1/campaigns/', {
          name: 'A',
          template_name: name,
          contacts: [{ phone: uniquePhone() }],
          media_id,
        }),
        account.api.post('/api/v1/templates/create', {
          name: `t_${randomUUID().replaceAll('-', '')}`,
          category: 'MARKETING',
          header: { format: 'IMAGE' },
          media_id,
          body: { text: 'Hello' },
        }),
      ]);
      expect(answers.map((answer) => [answer.status, answer.body])).toEqual(answers.map(() => [404, body]));
    }
    expect(await uploadsUpstream(world, account.phone)).toBe(0);
    expect(fileId).not.toBe(foreign);
  });

  it('fills headers and cards of templates', async () => {
    const { name, fileId } = await imageTemplate();
    const sent = await account.api.post(SEND, { template_name: name, contact_phone: uniquePhone(), media_id: fileId });
    expect(sent.status).toBe(200);
    const carousel = `t_${randomUUID().replaceAll('-', '')}`;
    const card = {
      header_format: 'IMAGE',
      media_id: fileId,
      body_text: 'One',
      buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
    };
    const created = await account.api.post('/api/v1/templates/create-carousel', {
      name: carousel,
      body: { text: 'Hello' },
      cards: [card, card],
    });
    expect(created).toMatchObject({ status: 201 });
    await until('the carousel is approved', async () => {
      const { body } = await account.api.get<{ template: { status: string } }>(
        `/api/v1/templates/${String(created.body.template_id)}`,
      );
      return body.template.status === 'APPROVED';
    });
    const other = await upload(account, { type: 'image/png', bytes: SAMPLES.PNG });
    const answer = await account.api.post(SEND, {
      template_name: carousel,
      contact_phone: uniquePhone(),
      carousel_data: [{ media_id: fileId }, { media_id: other }],
    });
    expect(answer).toMatchObject({ status: 200 });
    const last = JSON.stringify((await sentUpstream(world, account.phone)).at(-1) ?? {});
    const first = JSON.stringify((await sentUpstream(world, account.phone))[0] ?? {});
    for (const id of [fileId, other]) {
      const networkId = await networkIdOf(world, account, id);
      expect(last + first).toContain(`{"id":"${networkId}"}`);
    }
    expect(await uploadsUpstream(world, account.phone)).toBe(2);
    const both = await account.api.post(SEND, {
      template_name: carousel,
      contact_phone: uniquePhone(),
      carousel_data: [{ media_id: fileId }, { media_id: other, media_url: 'https://example.com/a.jpg' }],
    });
    expect(both).toMatchObject({
      status: 400,
      body: {
        message: 'carousel_data[1].media_id cannot be combined with carousel_data[1].media_url: give one of them',
      },
    });
  });

  it('uploads the file of a campaign once, and sends everybody its id', async () => {
    const { name, fileId } = await imageTemplate();
    const id = await started(account, name, 50, { media_id: fileId });
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({
      sent_count: 50,
      media_id: fileId,
      media_url: null,
    });
    expect(await uploadsUpstream(world, account.phone)).toBe(1);
    expect(new Set(await sentTo(world, account, name)).size).toBe(50);
  });

  it('uploads it again when the network has forgotten it: no recipient fails, nobody is sent to twice', async () => {
    const { name, fileId } = await imageTemplate();
    await world.simulator.behave({ max_mps: 0 });
    const first = await started(account, name, 5, { media_id: fileId });
    await untilCampaign(account, first, 'completed');
    await forgetUpstream(world, String(await networkIdOf(world, account, fileId)));
    const second = await started(account, name, 50, { media_id: fileId });
    expect(await untilCampaign(account, second, 'completed')).toMatchObject({ sent_count: 50, failed_count: 0 });
    expect(await uploadsUpstream(world, account.phone)).toBe(2);
    const sent = await sentTo(world, account, name);
    expect(sent).toHaveLength(55);
    expect(new Set(sent).size).toBe(55);
    await forgetUpstream(world, String(await networkIdOf(world, account, fileId)));
    // The network has refused another id a moment ago, so this one is what is wrong, until it is believed again.
    await world.unitOfWork.autocommit.affected(
      `UPDATE network_copies SET refused_at = refused_at - interval '1 hour' WHERE account_id = $1`,
      [account.accountId],
    );
    expect(await send({ message_type: 'image', media_id: fileId })).toMatchObject({ status: 200 });
    expect(await uploadsUpstream(world, account.phone)).toBe(3);
  });

  it('gives a message up that the network refuses with a new id, too', async () => {
    const media_id = await upload(account);
    expect((await send({ message_type: 'image', media_id })).status).toBe(200);
    await world.simulator.behave({ error: { code: 131053, rate: 1 } });
    const refused = await send({ message_type: 'image', media_id });
    await world.simulator.behave({ error: null });
    expect(refused).toMatchObject({ status: 400, body: { error: 'network_rejected' } });
    expect(await uploadsUpstream(world, account.phone)).toBe(2);
  });

  it('renews it before the network forgets it, while the old id is used', async () => {
    const media_id = await upload(account);
    await send({ message_type: 'image', media_id });
    const old = await networkIdOf(world, account, media_id);
    await ageCopy(world, account, media_id, 29.5);
    const other = await world.worker();
    try {
      const { NetworkCopies } = await import('../../src/media/network-copies.js');
      // Another process does not know the copy yet.
      const copies = other.parley.app.get(NetworkCopies, { strict: false });
      const { BusinessPhonesService } = await import('../../src/accounts/business-phones.service.js');
      const phone = await other.parley.app
        .get(BusinessPhonesService, { strict: false })
        .find(account.accountId, account.phone.id);
      if (phone === null) throw new Error('no phone');
      await copies.ensure(phone, [media_id]);
      expect(copies.idsFor(phone, [media_id])?.get(media_id)).toBe(old);
      const renewed = await until('the copy is renewed', async () => {
        const id = copies.idsFor(phone, [media_id])?.get(media_id);
        return id !== undefined && id !== old && id;
      });
      expect(renewed).toBe(await networkIdOf(world, account, media_id));
      expect(await uploadsUpstream(world, account.phone)).toBe(2);
    } finally {
      await other.stop();
    }
  });

  it('is uploaded by one of two processes that need it at once', async () => {
    const { NetworkCopies } = await import('../../src/media/network-copies.js');
    const { BusinessPhonesService } = await import('../../src/accounts/business-phones.service.js');
    await world.simulator.behave({ upload_fault: { kind: 'slow', delay_ms: 500 } });
    const media_id = await upload(account);
    const other = await world.worker();
    try {
      const made = await Promise.all(
        [world, other].map(async ({ parley }) => {
          const phone = await parley.app
            .get(BusinessPhonesService, { strict: false })
            .find(account.accountId, account.phone.id);
          if (phone === null) throw new Error('no phone');
          const copies = parley.app.get(NetworkCopies, { strict: false });
          await Promise.all([copies.ensure(phone, [media_id]), copies.ensure(phone, [media_id])]);
          return copies.idsFor(phone, [media_id])?.get(media_id);
        }),
      );
      expect(new Set(made)).toEqual(new Set([await networkIdOf(world, account, media_id)]));
      expect(await uploadsUpstream(world, account.phone)).toBe(1);
    } finally {
      await other.stop();
    }
  });

  it('stores and sends nothing when the network does not take the file: 503, and 400 when it refuses it', async () => {
    const media_id = await upload(account);
    const to = uniquePhone();
    await world.simulator.behave({ upload_fault: { kind: 'unavailable' } });
    expect(await send({ message_type: 'image', media_id }, to)).toMatchObject({
      status: 503,
      body: { error: 'network_unavailable' },
    });
    await world.simulator.behave({ upload_fault: { kind: 'refused' } });
    expect(await send({ message_type: 'image', media_id }, to)).toMatchObject({
      status: 400,
      body: { error: 'network_rejected' },
    });
    const { body } = await account.api.get<{ messages: { direction: string }[] }>(
      `/api/v1/messages/?contact_phone=${to}`,
    );
    expect(body.messages.map(({ direction }) => direction)).not.toContain('outgoing');
    await world.simulator.behave({ upload_fault: null });
    expect((await send({ message_type: 'image', media_id }, to)).status).toBe(200);
  });

  it('lets a campaign wait for its file while another one of the phone goes on', async () => {
    const { name, fileId } = await imageTemplate();
    const plain = await approvedTemplate(world, account);
    await world.simulator.behave({ upload_fault: { kind: 'slow', delay_ms: 600_000 } });
    const waiting = await started(account, name, 3, { media_id: fileId });
    const other = await started(account, plain.name, 3);
    await untilCampaign(account, other, 'completed');
    expect(await campaignOf(account, waiting)).toMatchObject({ campaign_status: 'running', sent_count: 0 });
    await account.api.post(`/api/v1/campaigns/${waiting}/cancel`);
  });

  it('stops a campaign whose file the network refuses, and says so', async () => {
    const { name, fileId } = await imageTemplate();
    await world.simulator.behave({ upload_fault: { kind: 'refused' } });
    const id = await started(account, name, 3, { media_id: fileId });
    const campaign = await untilCampaign(account, id, 'failed');
    expect(campaign).toMatchObject({ failure_reason: expect.stringContaining('the network refused it') });
  });

  it('keeps the file of a campaign beyond its time, until the campaign has ended', async () => {
    const { ExpiredUploadsSweep } = await import('../../src/media/expired-uploads.sweep.js');
    const sweep = world.parley.app.get(ExpiredUploadsSweep, { strict: false }) as unknown as { sweep(): Promise<void> };
    const { name, fileId } = await imageTemplate();
    const id = await draft(account, name, 2, { media_id: fileId });
    await ageUpload(world, account, fileId, 40);
    await sweep.sweep();
    expect((await account.api.post(`/api/v1/campaigns/${id}/send`)).status).toBe(202);
    await untilCampaign(account, id, 'completed');
    await sweep.sweep();
    const left = await world.unitOfWork.autocommit.rows('SELECT id FROM uploaded_files WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(left).toEqual([]);
    const late = await draft(account, name, 1, { media_id: await upload(account) });
    await world.unitOfWork.autocommit.affected('DELETE FROM uploaded_files WHERE account_id = $1', [account.accountId]);
    expect((await account.api.post(`/api/v1/campaigns/${late}/send`)).status).toBe(404);
  });

  it('reports a message sent by id as any other', async () => {
    const { body } = await send({ message_type: 'image', media_id: await upload(account), caption: '"id":"upload:x"' });
    expect(await untilStatus(account, body.message_id, 'sent')).toMatchObject({ content: '"id":"upload:x"' });
  });
});
