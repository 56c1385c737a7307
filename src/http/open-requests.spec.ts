import { type OpenRequest, OpenRequests } from './open-requests.js';

const UPLOADS = { of: 'uploads', consequence: 'nothing was imported' };

describe('open requests', () => {
  it('are limited per account', () => {
    const uploads = new OpenRequests({ ...UPLOADS, maxPerAccount: 2, max: 9 });
    const first = uploads.open('one');
    uploads.open('one');
    expect(() => uploads.open('one')).toThrow(
      '2 uploads of the account are open, the maximum; nothing was imported, try again shortly',
    );
    uploads.open('other');
    first.close();
    expect(() => uploads.open('one')).not.toThrow();
  });

  it('are limited in total', () => {
    const uploads = new OpenRequests({ ...UPLOADS, maxPerAccount: 2, max: 2 });
    const first = uploads.open('one');
    uploads.open('two');
    expect(() => uploads.open('three')).toThrow('too many uploads are open; nothing was imported, try again shortly');
    first.close();
    expect(() => uploads.open('three')).not.toThrow();
  });

  describe('when all places are taken', () => {
    const nameOf = (requests: Readonly<Record<string, OpenRequest>>): string[] =>
      Object.entries(requests).flatMap(([name, { signal }]) => (signal.aborted ? [name] : []));

    it('give way to an account with fewer: first that of the account with the most, silent longest', () => {
      const uploads = new OpenRequests({ ...UPLOADS, maxPerAccount: 3, max: 5 });
      const open = { a1: uploads.open('a'), a2: uploads.open('a'), b1: uploads.open('b') };
      const more = { ...open, b2: uploads.open('b'), b3: uploads.open('b') };
      more.a1.heard();
      more.b1.heard();
      uploads.open('c');
      expect(nameOf(more)).toEqual(['b2']);
      expect(more.b2.signal.reason).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(
          'the account has 3 of them, and this one was silent longest; nothing was imported',
        ),
        headers: { 'retry-after': '10' },
      });
      uploads.open('d');
      expect(nameOf(more)).toEqual(['a2', 'b2']);
      uploads.open('e');
      expect(nameOf(more)).toEqual(['a2', 'b2', 'b3']);
    });

    it('never give way to an account that would then have more', () => {
      const uploads = new OpenRequests({ ...UPLOADS, maxPerAccount: 3, max: 3 });
      const open = { a1: uploads.open('a'), a2: uploads.open('a'), b1: uploads.open('b') };
      expect(() => uploads.open('b')).toThrow('too many uploads are open');
      expect(() => uploads.open('a')).toThrow('too many uploads are open');
      uploads.open('c');
      expect(() => uploads.open('d')).toThrow('too many uploads are open');
      expect(nameOf(open)).toEqual(['a1']);
    });

    it('do not give way once everything has arrived', () => {
      const uploads = new OpenRequests({ ...UPLOADS, maxPerAccount: 3, max: 3 });
      const open = { a1: uploads.open('a'), a2: uploads.open('a'), a3: uploads.open('a') };
      open.a1.keep();
      open.a1.heard();
      open.a3.keep();
      uploads.open('b');
      expect(nameOf(open)).toEqual(['a2']);
      open.a2.close();
      expect(() => uploads.open('c')).toThrow('too many uploads are open');
      open.a1.close();
      expect(() => uploads.open('c')).not.toThrow();
    });
  });
});
