import { LoopbackServer } from '../support/loopback-server.js';
import { padded, SAMPLES } from '../support/media-samples.js';
import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { CUSTOMER, PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

const BODY = { type: 'BODY', text: 'Hello' };
const OTHER = { phone_number_id: `${PHONE}2`, waba_id: WABA, display_phone_number: '+49 30 901822' };
const KB = 1024;
/** An animated sticker begins with an extended header that says so. */
const ANIMATED = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02', 'latin1'), Buffer.alloc(64)]);

describe('media on the simulated network', () => {
  let network: SimulatedNetwork;
  let receiver: CallbackReceiver;
  let server: LoopbackServer;
  const files = new Map<string, { type: string; bytes: Buffer; length?: number }>();

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    receiver = network.receiver;
    server = await LoopbackServer.start((request, response) => {
      const file = files.get(request.url ?? '');
      if (!file) return void response.writeHead(404).end();
      const { type, bytes, length = bytes.length } = file;
      response.writeHead(200, { 'content-type': type, 'content-length': length });
      if (length === bytes.length) response.end(bytes);
      else response.write(padded(bytes, 4 * KB));
    });
    await network.call('POST', '/_sim/phones', OTHER);
    const example = { header_handle: [await network.handle('image/png')] };
    await network.approved('picture', [{ type: 'HEADER', format: 'IMAGE', example }, BODY]);
  });
  afterAll(async () => {
    await network.stop();
    await server.stop();
  });
  beforeEach(async () => {
    await network.reset();
    await network.inbound(CUSTOMER);
    server.requests.length = 0;
  });

  const serve = (type: string, bytes: Buffer, length?: number): string => {
    const path = `/file-${files.size}`;
    files.set(path, { type, bytes, ...(length === undefined ? {} : { length }) });
    return server.url(path);
  };
  /** What becomes of a message: its last status, or the code of its failure. */
  const outcome = async (id: string): Promise<string | number> => {
    const last = await until('its last report has come', () =>
      receiver.statuses.find((report) => report.id === id && /^(read|failed)$/.test(report.status)),
    );
    return last.errors?.[0]?.code ?? last.status;
  };
  const sendLink = async (kind: string, link: string) =>
    outcome(await network.send({ to: CUSTOMER, type: kind, [kind]: { link } }));

  it.each<[string, string, Buffer]>([
    ['image', 'image/jpeg', SAMPLES.JPEG],
    ['image', 'image/png; charset=binary', SAMPLES.PNG],
    ['video', 'video/mp4', SAMPLES.MP4],
    ['audio', 'audio/aac', SAMPLES.AAC],
    ['audio', 'audio/mpeg', SAMPLES.MP3],
    ['audio', 'audio/mp4', SAMPLES.M4A],
    ['audio', 'audio/amr', SAMPLES.AMR],
    ['audio', 'audio/ogg; codecs=opus', SAMPLES.OGG],
    ['document', 'application/pdf', SAMPLES.PDF],
    ['document', 'application/msword', SAMPLES.DOC],
    ['document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', SAMPLES.DOCX],
    ['document', 'text/plain', Buffer.from('hello')],
    ['sticker', 'image/webp', ANIMATED],
  ])('delivers a linked %s served as %s', async (kind, type, bytes) => {
    expect(await sendLink(kind, serve(type, bytes))).toBe('read');
  });

  it.each<[string, string, string, Buffer, number | undefined]>([
    ['of no type', 'image', 'application/octet-stream', SAMPLES.PNG, undefined],
    ['of a refused type', 'audio', 'audio/opus', SAMPLES.OGG, undefined],
    ['of another kind', 'image', 'application/pdf', SAMPLES.PDF, undefined],
    ['with other bytes than its type', 'image', 'image/png', SAMPLES.JPEG, undefined],
    ['of Vorbis', 'audio', 'audio/ogg', Buffer.from('OggS with vorbis'), undefined],
    ['that is too large', 'image', 'image/png', SAMPLES.PNG, 5 * KB * KB + 1],
    ['that is too large for a sticker', 'sticker', 'image/webp', ANIMATED, 501 * KB],
  ])('fails a link later with 131053 %s', async (_what, kind, type, bytes, length) => {
    expect(await sendLink(kind, serve(type, bytes, length))).toBe(131053);
  });

  it('fails a link that leads nowhere', async () => {
    expect(await sendLink('image', server.url('/nothing'))).toBe(131053);
  });

  it('judges headers of templates and of interactive messages too', async () => {
    const image = { link: serve('application/octet-stream', SAMPLES.PNG) };
    const header = { type: 'header', parameters: [{ type: 'image', image }] };
    expect(await outcome((await network.sendTemplate('picture', [header])).body.messages[0]?.id ?? '')).toBe(131053);
    const action = { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://example.com' } };
    const interactive = { type: 'cta_url', header: { type: 'image', image }, body: { text: '?' }, action };
    expect(await outcome(await network.send({ type: 'interactive', interactive }))).toBe(131053);
  });

  it('fetches a file once, and again when its query changes', async () => {
    const link = serve('image/png', SAMPLES.PNG);
    files.set(`${new URL(link).pathname}?v=2`, { type: 'text/plain', bytes: SAMPLES.PNG });
    expect([await sendLink('image', link), await sendLink('image', link)]).toEqual(['read', 'read']);
    expect(server.requests).toHaveLength(1);
    expect(await sendLink('image', `${link}?v=2`)).toBe(131053);
  });

  it('contacts no other machine', async () => {
    expect(await sendLink('image', 'https://example.com/a.jpg')).toBe('read');
  });

  const upload = async (type: string, size = 5, phone = PHONE) => {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', type);
    form.set('file', new Blob([Buffer.concat([ANIMATED, Buffer.alloc(size)])], { type }), 'file');
    const response = await fetch(`${network.url}/v23.0/${phone}/media`, {
      method: 'POST',
      headers: { authorization: 'Bearer token' },
      body: form,
    });
    return (await response.json()) as { id?: string; error?: { code: number } };
  };

  it.each([
    ['application/octet-stream', 5],
    ['audio/opus', 5],
    ['audio/wav', 5],
    ['application/zip', 5],
    ['image/gif', 5],
    ['image/webp', 600 * KB],
    ['image/png', 5 * KB * KB],
  ])('refuses an upload of %s with %i bytes', async (type, size) => {
    expect((await upload(type, size)).error?.code).toEqual(expect.any(Number));
  });

  it('takes an upload for one phone only', async () => {
    const { id } = await upload('image/webp', 300 * KB);
    const message = { messaging_product: 'whatsapp', to: CUSTOMER, type: 'sticker', sticker: { id } };
    expect((await network.post(message)).status).toBe(200);
    await network.inbound(CUSTOMER, { phone_number_id: OTHER.phone_number_id });
    const path = `/v23.0/${OTHER.phone_number_id}/messages`;
    expect((await network.call('POST', path, message)).body).toMatchObject({ error: { code: 100 } });
  });
});
