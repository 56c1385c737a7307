import type { Template } from '../template.entity.js';
import type { NetworkTemplate } from './network-template.js';
import { NO_CALLER_FIELDS } from './template-description.js';
import { storedTemplate } from './template-row.js';
import { distinctTemplates, planSync } from './template-sync-plan.js';

const STARTED = new Date('2026-05-01T12:00:00Z');
const scope = { wabaId: 'waba', businessPhoneId: 'phone', startedAt: STARTED, complete: true, newId: () => 'new' };

const upstream = (name: string, differences: Partial<NetworkTemplate> = {}): NetworkTemplate => ({
  metaTemplateId: `meta-${name}`,
  name,
  language: 'en_US',
  category: 'UTILITY',
  networkStatus: 'APPROVED',
  rejectedReason: 'NONE',
  parameterFormat: 'POSITIONAL',
  messageSendTtlSeconds: null,
  components: [{ type: 'BODY', text: 'Hi {{1}}' }],
  ...differences,
});

const stored = (found: NetworkTemplate, at = new Date('2026-04-01T00:00:00Z')): Template => ({
  ...storedTemplate(found, { id: `id-${found.name}`, wabaId: 'waba', businessPhoneId: 'phone' }, NO_CALLER_FIELDS),
  accountId: 'account',
  stateToldAt: null,
  categoryToldAt: null,
  deletedAt: null,
  deletingUntil: null,
  createdAt: at,
  updatedAt: at,
});

const plan = (local: Template[], found: NetworkTemplate[]) => {
  const { create, update, remove } = planSync(local, found, scope);
  return { create: create.map(({ name }) => name), update: update.map(({ id }) => id), remove };
};

describe('a sync of one business account', () => {
  it('creates missing templates, removes deleted ones, and leaves unchanged ones alone', () => {
    expect(plan([stored(upstream('same')), stored(upstream('gone'))], [upstream('same'), upstream('new')])).toEqual({
      create: ['new'],
      update: [],
      remove: ['id-gone'],
    });
  });

  it.each<[string, Partial<NetworkTemplate>]>([
    ['status', { networkStatus: 'PAUSED' }],
    ['reason', { networkStatus: 'REJECTED', rejectedReason: 'SCAM' }],
    ['category', { category: 'MARKETING' }],
    ['id', { metaTemplateId: 'another' }],
    ['components', { components: [{ type: 'BODY', text: 'Hi {{1}}!' }] }],
    ['ttl', { messageSendTtlSeconds: 60 }],
  ])('updates a template whose %s has changed', (_, differences) => {
    expect(plan([stored(upstream('order'))], [upstream('order', differences)]).update).toEqual(['id-order']);
  });

  it('treats a different key order or a different example handle as unchanged', () => {
    const media = (handle: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } });
    const before = upstream('order', { components: [media('4::a'), { type: 'BODY', text: 'Hi' }] });
    const after = upstream('order', { components: [media('https://cdn.example/x'), { text: 'Hi', type: 'BODY' }] });
    expect(plan([stored(before)], [after])).toEqual({ create: [], update: [], remove: [] });
  });

  it('leaves alone what was created or changed here after it started', () => {
    const young = stored(upstream('young'), STARTED);
    expect(plan([young], [])).toEqual({ create: [], update: [], remove: [] });
    expect(plan([young], [upstream('young', { networkStatus: 'PENDING' })])).toEqual({
      create: [],
      update: [],
      remove: [],
    });
  });

  it('removes nothing after an incomplete listing', () => {
    const { remove } = planSync([stored(upstream('gone'))], [], { ...scope, complete: false });
    expect(remove).toEqual([]);
  });

  it('distinguishes languages of the same name', () => {
    const german = upstream('order', { language: 'de', metaTemplateId: 'meta-de' });
    expect(plan([stored(upstream('order'))], [upstream('order'), german]).create).toEqual(['order']);
  });

  it('keeps what only the caller knows', () => {
    const known = { ...stored(upstream('order')), offerCode: 'SAVE10' };
    expect(planSync([known], [upstream('order', { networkStatus: 'PAUSED' })], scope).update[0]?.offerCode).toBe(
      'SAVE10',
    );
  });

  it('counts a template on two pages once and uses the first page’s version', () => {
    const found = [upstream('order', { networkStatus: 'PAUSED' }), upstream('other'), upstream('order')];
    expect(
      distinctTemplates(found)
        .map(({ name, networkStatus }) => `${name} ${networkStatus}`)
        .sort(),
    ).toEqual(['order PAUSED', 'other APPROVED']);
  });
});
