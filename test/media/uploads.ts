import type { ApiResponse } from '../support/api-client.js';
import { SAMPLES } from '../support/media-samples.js';
import type { TestAccount, TestPhone, World } from '../support/world.js';

export const MEDIA = '/api/v1/media';

/** What `POST /api/v1/media` answers. */
export interface UploadAnswer {
  readonly status: string;
  readonly error: string;
  readonly message: string;
  readonly media: {
    readonly id: string;
    readonly mime_type: string;
    readonly size: number;
    readonly expires_at: string;
  };
}

/** A part of a form. */
export interface Part {
  readonly name?: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes?: Buffer;
}

const BOUNDARY = 'a-boundary';
export const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** A form as bytes. */
export const formOf = (...parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name = 'file', filename = 'a.jpg', type = 'image/jpeg', bytes = SAMPLES.JPEG }) => [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n`),
      Buffer.from(type === '' ? '\r\n' : `Content-Type: ${type}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

/** Uploads a form as it is. */
export const post = (
  { api }: Pick<TestAccount, 'api'>,
  raw: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse<UploadAnswer>> =>
  api.request<UploadAnswer>('POST', MEDIA, undefined, { raw, headers: { ...FORM, ...headers } });

/** Uploads a file. @returns its id */
export async function upload(account: Pick<TestAccount, 'api'>, part: Part = {}): Promise<string> {
  const { status, text, body } = await post(account, formOf(part));
  if (status !== 201) throw new Error(text);
  return body.media.id;
}

/** How many uploads the network received for a phone. */
export async function uploadsUpstream(world: World, { phoneNumberId }: TestPhone): Promise<number> {
  const requests = await world.simulator.requests(phoneNumberId);
  return requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/media')).length;
}

/** The network forgets a file. */
export async function forgetUpstream(world: Pick<World, 'simulator'>, networkMediaId: string): Promise<void> {
  const { status } = await fetch(`${world.simulator.url}/v23.0/${networkMediaId}`, {
    method: 'DELETE',
    headers: { authorization: 'Bearer any' },
  });
  if (status !== 200) throw new Error(`the network did not forget ${networkMediaId}: ${status}`);
}

/** The network's id of a file for a phone; null: none. */
export async function networkIdOf(
  world: World,
  { accountId, phone }: TestAccount,
  fileId: string,
): Promise<string | null> {
  const row = await world.unitOfWork.autocommit.row<{ networkMediaId: string | null }>(
    `SELECT network_media_id FROM network_copies WHERE account_id = $1 AND file_id = $2 AND business_phone_id = $3`,
    [accountId, fileId, phone.id],
  );
  return row?.networkMediaId ?? null;
}

/** Makes a copy at the network older. */
export async function ageCopy(world: World, { accountId }: TestAccount, fileId: string, days: number): Promise<void> {
  await world.unitOfWork.autocommit.affected(
    `UPDATE network_copies SET uploaded_at = uploaded_at - $3 * interval '1 day' WHERE account_id = $1 AND file_id = $2`,
    [accountId, fileId, days],
  );
}

/** Makes an upload older. */
export async function ageUpload(world: World, { accountId }: TestAccount, fileId: string, days: number): Promise<void> {
  await world.unitOfWork.autocommit.affected(
    `UPDATE uploaded_files SET expires_at = expires_at - $3 * interval '1 day' WHERE account_id = $1 AND id = $2`,
    [accountId, fileId, days],
  );
}
