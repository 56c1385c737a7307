import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE, SECOND } from '../../src/values/clock.js';

const LIFETIME = 5 * MINUTE;

/** The addresses under which files can be fetched for 5 minutes. */
export class MediaUrls {
  constructor(
    private readonly baseUrl: () => string,
    private readonly secret: string,
  ) {}

  /** The address of a file from now on. */
  of(id: string): string {
    const ext = String(Math.floor((Date.now() + LIFETIME) / SECOND));
    const query = new URLSearchParams({ mid: id, ext, hash: this.hashOf(id, ext) });
    return `${this.baseUrl()}/whatsapp_business/attachments/?${query}`;
  }

  /** The id of the file that an address names; null if the address has expired or was not made here. */
  idIn(query: URLSearchParams): string | null {
    const { mid = '', ext = '', hash = '' } = Object.fromEntries(query);
    const [expected, given] = [Buffer.from(this.hashOf(mid, ext)), Buffer.from(hash)];
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
    return Number(ext) * SECOND > Date.now() ? mid : null;
  }

  private hashOf(id: string, ext: string): string {
    return createHmac('sha256', this.secret).update(`${ext} ${id}`).digest('base64url');
  }
}
