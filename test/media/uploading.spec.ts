import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { MediaStore, StoreUnavailable } from '../../src/media/media-store.js';
import { impatient } from '../support/api-client.js';
import { padded, SAMPLES } from '../support/media-samples.js';
import { eventually } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { MediaFiles } from './media-world.js';
import { ageUpload, FORM, formOf, MEDIA, type Part, post, upload } from './uploads.js';

const KB = 1024;
const MB = 1024 * KB;
const OFFICE = 'application/vnd.openxmlformats-officedocument.';
/** A sticker that says that it moves. */
const ANIMATED = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0', 'latin1'),
  Buffer.from([2]),
  Buffer.alloc(9),
]);

describe('uploading a file', () => {
  let world: World;
  let files: MediaFiles;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
    files = new MediaFiles(world);
    account = await world.account();
  });
  afterAll(() => world?.stop());

  /** The files of this account in the store. */
  const stored = async (): Promise<string[]> =>
    (await files.stored()).filter((file) => file.startsWith(account.accountId) || file.startsWith('.incoming'));

  it.each([
    ['image/jpeg', SAMPLES.JPEG, 5 * MB],
    ['image/png', SAMPLES.PNG, 5 * MB],
    ['video/mp4', SAMPLES.MP4, 16 * MB],
    ['audio/aac', SAMPLES.AAC, 16 * MB],
    ['audio/mpeg', SAMPLES.MP3, 16 * MB],
    ['audio/mp4', SAMPLES.M4A, 16 * MB],
    ['audio/amr', SAMPLES.AMR, 16 * MB],
    ['audio/ogg', SAMPLES.OGG, 16 * MB],
    ['image/webp', SAMPLES.WEBP, 100 * KB],
    ['image/webp', ANIMATED, 500 * KB],
  ])('takes %s up to its limit, and not a byte more (413)', async (type, sample, max) => {
    const largest = await post(account, formOf({ type, bytes: padded(sample, max) }));
    expect(largest).toMatchObject({ status: 201, body: { media: { mime_type: type, size: max } } });
    const { status, body } = await post(account, formOf({ type, bytes: padded(sample, max + 1) }));
    expect({ status, body }).toEqual({
      status: 413,
      body: {
        error: 'payload_too_large',
        message: expect.stringMatching(
          new RegExp(`^file is more than ${max} bytes: an? .* may have at most ${max} bytes`),
        ),
      },
    });
  });

  it.each([
    ['application/pdf', SAMPLES.PDF],
    ['application/msword', SAMPLES.DOC],
    [`${OFFICE}wordprocessingml.document`, SAMPLES.DOCX],
    ['application/vnd.ms-powerpoint', SAMPLES.PPT],
    [`${OFFICE}presentationml.presentation`, SAMPLES.PPTX],
    ['text/plain', SAMPLES.TXT],
  ])('takes %s', async (type, bytes) => {
    expect(await post(account, formOf({ type, bytes }))).toMatchObject({
      status: 201,
      body: { media: { mime_type: type } },
    });
  });

  it('refuses a document of more than 100 MB (413)', async () => {
    const answer = await post(account, formOf({ type: 'application/pdf', bytes: padded(SAMPLES.PDF, 100 * MB + 1) }));
    expect(answer).toMatchObject({
      status: 413,
      body: { message: expect.stringContaining('a document may have at most') },
    });
  });

  it('answers what it has stored, and keeps it for 30 days', async () => {
    const { status, body } = await post(account, formOf({ type: 'image/jpeg; charset=binary' }));
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        status: 'success',
        message: 'File uploaded',
        media: {
          id: expect.any(String),
          mime_type: 'image/jpeg',
          size: SAMPLES.JPEG.length,
          expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      },
    });
    const days = (Date.parse(body.media.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    expect((await stored()).some((file) => file.endsWith(body.media.id))).toBe(true);
  });

  it.each<[string, Buffer, string | RegExp]>([
    ['no file', formOf(), 'the form must contain a file in the field file'],
    ['an empty body', Buffer.alloc(0), /./],
    ['another field', formOf({ name: 'upload' }), 'the file must be in the form’s field file (got upload)'],
    ['an empty file', formOf({ bytes: Buffer.alloc(0) }), 'file is empty'],
    ['two files', formOf({}, {}), 'the form must contain only one file'],
    [
      'a type that nobody takes',
      formOf({ type: 'image/gif' }),
      /^file must be sent as one of image\/jpeg, .* \(got image\/gif\)$/,
    ],
    ['a part without a type', formOf({ type: '' }), 'file is image/jpeg by its content, but was sent as text/plain'],
    [
      'other bytes than declared',
      formOf({ type: 'image/png' }),
      'file is image/jpeg by its content, but was sent as image/png',
    ],
    [
      'a picture as a document',
      formOf({ type: 'application/pdf' }),
      'file is image/jpeg by its content, but was sent as application/pdf',
    ],
    ['a form that is cut short', formOf({}).subarray(0, -30), /^the form is not valid multipart\/form-data: /],
    ['a body that is no form', Buffer.from('hello'), /^the form|^the form must contain/],
  ])('refuses %s (400), and keeps nothing of it', async (_, form, message) => {
    const before = await stored();
    const { status, body } = await post(account, form);
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'bad_request', message: typeof message === 'string' ? message : expect.stringMatching(message) },
    });
    expect(await stored()).toEqual(before);
  });

  it('refuses other bodies than forms (415)', async () => {
    for (const type of ['image/jpeg', 'application/json']) {
      const answer = await account.api.request('POST', MEDIA, undefined, {
        raw: SAMPLES.JPEG,
        headers: { 'content-type': type },
      });
      expect(answer).toMatchObject({
        status: 415,
        body: { message: `the file must be sent as multipart/form-data (got ${type})` },
      });
    }
  });

  it('answers 503 when the store cannot be written, and keeps nothing', async () => {
    const before = await stored();
    const store = world.parley.app.get(MediaStore);
    const put = jest.spyOn(store, 'put').mockRejectedValue(new StoreUnavailable(new Error('no space left on device')));
    const { status, body, headers } = await post(impatient(account), formOf({}));
    put.mockRestore();
    expect({ status, error: body.error, retry: headers.get('retry-after') }).toEqual({
      status: 503,
      error: 'unavailable',
      retry: '10',
    });
    expect(await stored()).toEqual(before);
  });

  it('is repeated with a key: the same file answers the same, another one is 422', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post(account, formOf({}), headers);
    const before = await stored();
    const again = await post(account, formOf({}), headers);
    expect([first.status, again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      first.body,
      'true',
    ]);
    const other = await post(account, formOf({ type: 'image/png', bytes: SAMPLES.PNG }), headers);
    expect(other.status).toBe(422);
    // What a repetition brings is deleted after its answer.
    await eventually(async () => expect(await stored()).toEqual(before));
  });

  it('has slots of its own: the fifth of an account at once gets 503, other requests go on', async () => {
    const other = await world.account();
    const open = new Set<http.ClientRequest>();
    /** Begins an upload that does not go on. Refused because one of the requests below was there first, it begins again. */
    const hold = (): void => {
      const headers = { authorization: `Bearer ${other.apiKey}`, ...FORM };
      const upload = http.request(world.baseUrl + MEDIA, { method: 'POST', headers, agent: false });
      open.add(upload);
      upload.on('error', () => undefined);
      upload.on('response', () => {
        open.delete(upload);
        upload.destroy();
        hold();
      });
      upload.write(formOf({}).subarray(0, 40));
    };
    try {
      for (let place = 0; place < 4; place += 1) hold();
      await eventually(async () =>
        expect(await post(impatient(other), formOf({}))).toMatchObject({
          status: 503,
          body: { message: expect.stringMatching(/^4 uploads of the account are open.*nothing was stored/) },
        }),
      );
      expect((await other.api.get('/api/v1/contacts/')).status).toBe(200);
      expect((await post(account, formOf({}))).status).toBe(201);
    } finally {
      for (const upload of open) upload.destroy();
    }
  });

  it('needs the scope messages:write', async () => {
    const reader = await world.account({ scopes: ['messages:read'] });
    expect((await post(reader, formOf({}))).status).toBe(403);
  });

  it('takes a file of a name that nobody can see', async () => {
    const part: Part = { filename: '../../etc/\u202eexe.jpg' };
    const id = await upload(account, part);
    const row = await world.unitOfWork.autocommit.row<{ filename: string }>(
      'SELECT filename FROM uploaded_files WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    expect(row?.filename).toBe('exe.jpg');
  });

  it('deletes files a while after their time, unless a campaign still uses them', async () => {
    const { ExpiredUploadsSweep } = await import('../../src/media/expired-uploads.sweep.js');
    const [young, old] = [await upload(account), await upload(account)];
    await ageUpload(world, account, old, 31);
    await (world.parley.app.get(ExpiredUploadsSweep) as unknown as { sweep(): Promise<void> }).sweep();
    const left = await stored();
    expect([left.some((file) => file.endsWith(young)), left.some((file) => file.endsWith(old))]).toEqual([true, false]);
  });
});
