import { PersonTokens } from '../values/redaction.js';
import { pathAbout, pathWithout } from './answered-path.js';

const ID = '01990000-0000-7000-8000-491511234567';
const ada = new PersonTokens(['4915112345678', 'US.1349', 'ada@example.test']);

describe('the path of a request', () => {
  it.each([
    ['/api/v1/contacts/import', '/api/v1/contacts/import'],
    ['/api/v1/conversations/%2B4915112345678/assign', '/api/v1/conversations/%2B4915112345678/assign'],
    ['/api/v1/conversations/%2B4915100000000/assign', '/api/v1/conversations/%2B*****00/assign'],
    ['/api/v1/conversations/US.13500/assign', '/api/v1/conversations/*****00/assign'],
    [`/api/v1/campaigns/${ID}/send`, `/api/v1/campaigns/${ID}/send`],
    ['/api/v1/%/4915100000000', '/api/v1/%/*****00'],
    ['/api/v1/x/bo%40example.test', '/api/v1/x/*****st'],
    ['/api/v1/x/%34915100000000', '/api/v1/x/*****00'],
    ['/api/v1/x/ada%40example.test', '/api/v1/x/ada%40example.test'],
  ])('%s masks the identifiers of others', (path, shown) => {
    expect(pathAbout(path, ada)).toBe(shown);
  });

  it.each([
    ['/api/v1/conversations/%2B4915112345678/assign', '/api/v1/conversations/*****/assign'],
    ['/api/v1/conversations/US%2E1349/assign', '/api/v1/conversations/*****/assign'],
    ['/api/v1/conversations/4915100000000/assign', '/api/v1/conversations/4915100000000/assign'],
  ])('%s loses those of an erased person', (path, kept) => {
    expect(pathWithout(path, ada)).toBe(kept);
  });
});
