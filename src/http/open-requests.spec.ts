import { OpenRequests } from './open-requests.js';

const UPLOADS = { of: 'uploads', consequence: 'nothing was imported' };

describe('open requests', () => {
  it('are limited per account', () => {
    const uploads = new OpenRequests({ ...UPLOADS, maxPerAccount: 2, max: 9 });
    const close = uploads.open('one');
    uploads.open('one');
    expect(() => uploads.open('one')).toThrow(
      '2 uploads of the account are open, the maximum; nothing was imported, try again shortly',
    );
    uploads.open('other');
    close();
    expect(() => uploads.open('one')).not.toThrow();
  });

  it('are limited in total', () => {
    const uploads = new OpenRequests({ ...UPLOADS, maxPerAccount: 2, max: 2 });
    const close = uploads.open('one');
    uploads.open('two');
    expect(() => uploads.open('three')).toThrow('too many uploads are open; nothing was imported, try again shortly');
    close();
    expect(() => uploads.open('three')).not.toThrow();
  });
});
