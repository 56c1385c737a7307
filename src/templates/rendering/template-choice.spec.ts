import { DomainError } from '../../errors/domain-error.js';
import type { Template } from '../template.entity.js';
import { checkForCampaign, checkSendable, chooseTemplate } from './template-choice.js';

const template = (language: string, wabaId = 'first', status: Template['status'] = 'APPROVED'): Template =>
  ({
    name: 'sale',
    language,
    wabaId,
    status,
    networkStatus: status === 'PENDING' ? 'PAUSED' : status,
    components: [{ type: 'BODY', text: 'Hello' }],
    buttons: [],
  }) as unknown as Template;

const choose = (named: Template[], language: string | null = null, primaryWabaId: string | null = 'first'): string => {
  try {
    const { language: chosen, wabaId } = chooseTemplate(named, { name: 'sale', language }, primaryWabaId);
    return `${chosen} of ${wabaId}`;
  } catch (error) {
    if (error instanceof DomainError) return `${error.status} ${error.message}`;
    throw error;
  }
};

describe('choosing a template by name', () => {
  it('fails for an unknown name (404)', () => {
    expect(choose([])).toBe('404 template sale was not found');
  });

  it('picks the only language', () => {
    expect(choose([template('de')])).toBe('de of first');
  });

  it('picks en_US among several languages, or fails and names them (400)', () => {
    expect(choose([template('de'), template('en_US'), template('fr')])).toBe('en_US of first');
    expect(choose([template('fr'), template('de')])).toBe(
      '400 template sale exists in several languages: choose one of de, fr with template_language',
    );
  });

  it('picks the requested language, or fails and names the others (404)', () => {
    expect(choose([template('de'), template('en_US')], 'de')).toBe('de of first');
    expect(choose([template('fr'), template('de')], 'it')).toBe(
      '404 template sale was not found in it: it exists in de, fr',
    );
  });

  it('picks the primary phone’s business account among several, or fails (400)', () => {
    expect(choose([template('de', 'second'), template('de', 'first')])).toBe('de of first');
    expect(choose([template('de', 'second')])).toBe('de of second');
    expect(choose([template('de', 'second'), template('de', 'third')])).toBe(
      '400 template sale exists in several business accounts: choose one with waba_phone_id',
    );
  });

  it('refuses a template that is not approved and names its status (400)', () => {
    expect(() => checkSendable(template('de', 'first', 'REJECTED'))).toThrow(
      'template sale (de) is not approved: its status is REJECTED',
    );
    expect(() => checkSendable(template('de', 'first', 'PENDING'))).toThrow(
      'template sale (de) is not approved: its status is PENDING (the network says PAUSED)',
    );
    expect(() => checkSendable(template('de'))).not.toThrow();
  });

  it('refuses a template with parts that cannot be filled in and names them (400)', () => {
    const foreign = template('de');
    const components = [...foreign.components, { type: 'HEADER', format: 'GIF' }, { type: 'ORDER_STATUS' }];
    const message = 'template sale (de) has parts that Parley cannot fill in: HEADER:GIF, COMPONENT:ORDER_STATUS';
    expect(() => checkSendable({ ...foreign, components })).toThrow(message);
    expect(() => checkForCampaign({ ...foreign, components })).toThrow(message);
  });

  it('refuses a FLOW button for campaigns only (400)', () => {
    const flow = { ...template('de'), buttons: [{ type: 'FLOW' }] };
    expect(() => checkSendable(flow)).not.toThrow();
    expect(() => checkForCampaign(flow)).toThrow('template sale has a FLOW button, which campaigns do not support');
  });
});
