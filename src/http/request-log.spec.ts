import { loggedPath } from './request-log.js';

describe('loggedPath', () => {
  it.each([
    ['/api/v1/contacts/?phone=4915112345678', '/api/v1/contacts/'],
    ['/api/v1/contacts/4915112345678', '/api/v1/contacts/*****78'],
    ['/api/v1/contacts/+4915112345678/messages', '/api/v1/contacts/+*****78/messages'],
    ['/api/v1/contacts/%2B49%20151-123%2845678%29', '/api/v1/contacts/%2B*****78%29'],
    ['/api/v1/users/ada%40example.test', '/api/v1/users/*****st'],
    ['/api/v1/conversations/US.AbCdEfGh/assign', '/api/v1/conversations/*****Gh/assign'],
    ['/api/v1/campaigns/123456', '/api/v1/campaigns/123456'],
    ['/api/v1/pk_live_abcdefghijkl_secret-part/x', '/api/v1/[redacted]/x'],
  ])('logs %s as %s', (url, path) => {
    expect(loggedPath(url)).toBe(path);
  });

  it('keeps ids, even if they consist of digits', () => {
    const path = '/api/v1/messages/01900000-1234-7123-8123-123456789012';
    expect(loggedPath(path)).toBe(path);
  });

  it('shortens long paths', () => {
    expect(loggedPath(`/${'x'.repeat(5000)}`)).toHaveLength(200);
    expect(loggedPath(`/${'x'.repeat(190)}/4915112345678`)).toBe(`/${'x'.repeat(190)}/*****78`);
    expect(loggedPath(`/${'x'.repeat(190)}/ada%40example.test`)).not.toContain('ada');
  });
});
