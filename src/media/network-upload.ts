import { randomUUID } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../accounts/business-phones.service.js';
import { notFound } from '../errors/domain-error.js';
import { MessagingNetwork } from '../network/network.js';
import { NetworkOutcomeUnknown } from '../network/network-error.js';
import { SECOND } from '../values/clock.js';
import { endsWithin } from '../values/ends-within.js';
import { mediaKey } from './media-key.js';
import { MediaStore, type OpenMedia } from './media-store.js';
import type { UploadedFile } from './uploaded-file.entity.js';

/** How long an upload may take: this, and what a slow line needs for its bytes. */
const BASE_MS = 30 * SECOND;
const BYTES_PER_MS = 256;

/** Uploads files of the store to the network, from the disk and never whole in memory. */
@Injectable()
export class NetworkUpload {
  constructor(
    private readonly network: MessagingNetwork,
    private readonly phones: BusinessPhonesService,
    private readonly store: MediaStore,
  ) {}

  /**
   * @param signal breaks it off
   * @returns the network's id of the file, which only this phone can use
   * @throws NetworkRefusal, NetworkUnreachable, NetworkOutcomeUnknown, StoreUnavailable; DomainError 404 when the store
   *   does not have the file, 503 when the phone's token cannot be decrypted
   */
  async upload(phone: BusinessPhone, file: UploadedFile, signal: AbortSignal): Promise<string> {
    const token = await this.phones.token(phone);
    const opened = await this.store.open(mediaKey({ accountId: file.accountId, messageId: file.id }));
    if (opened?.size !== file.size) {
      await opened?.close();
      throw notFound(`the file of media_id ${file.id} is missing in the media store: upload it again`);
    }
    return this.post(phone, token, file, opened, signal);
  }

  private async post(
    { phoneNumberId }: BusinessPhone,
    token: string,
    file: UploadedFile,
    opened: OpenMedia,
    signal: AbortSignal,
  ): Promise<string> {
    const timeoutMs = BASE_MS + Math.ceil(file.size / BYTES_PER_MS);
    const form = formOf(file);
    const bytes = opened.read(0, file.size - 1);
    const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]);
    const body = addAbortSignal(ended, Readable.from(form.around(bytes)));
    const answer = this.network.call<{ id?: unknown }>({
      method: 'POST',
      path: `/${phoneNumberId}/media`,
      token,
      body,
      headers: { 'content-type': form.contentType, 'content-length': String(form.size) },
    });
    try {
      if (!(await endsWithin(answer, timeoutMs))) throw late(timeoutMs);
      const { id } = await answer;
      if (typeof id !== 'string' || id === '') throw new NetworkOutcomeUnknown('the network returned no id for a file');
      return id;
    } finally {
      body.destroy();
      bytes.destroy();
    }
  }
}

const late = (timeoutMs: number): Error =>
  new NetworkOutcomeUnknown(`the network did not take the file within ${timeoutMs / SECOND} s`);

/** The form that the network wants around a file. */
function formOf({ id, mimeType, size }: UploadedFile) {
  const boundary = `parley-${randomUUID()}`;
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', mimeType)}--${boundary}\r\n` +
      // The network shows no file name: a message says how a document is called.
      `Content-Disposition: form-data; name="file"; filename="${id}"\r\nContent-Type: ${mimeType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + size + tail.length,
    async *around(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      yield head;
      yield* bytes;
      yield tail;
    },
  };
}
