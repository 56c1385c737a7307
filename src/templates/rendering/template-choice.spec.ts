import { DomainError } from '../../errors/domain-error.js';
import type { Template } from '../template.entity.js';
import { checkApproved, chooseTemplate } from './template-choice.js';

const template = (language: string, wabaId = 'first', status: Template['status'] = 'APPROVED'): Template =>
  ({ name: 'sale', language, wabaId, status, networkStatus: status === 'PENDING' ? 'PAUSED' : status }) as Template;

const choose = (named: Template[], language: string | null = null, primaryWabaId: string | null = 'first'): string => {
  try {
    const { language: chosen, wabaId } = chooseTemplate(named, { name: 'sale', language }, primaryWabaId);
    return `${chosen} of ${wabaId}`;
  } catch (error) {
    if (error instanceof DomainError) return `${error.status} ${error.message}`;
    throw error;
  }
};

describe('which template a name means', () => {
  it('is 404 for an unknown name', () => {
    expect(choose([])).toBe('404 template sale was not found');
  });

  it('is the only language', () => {
    expect(choose([template('de')])).toBe('de of first');
  });

  it('is en_US among several languages, else 400 naming them', () => {
    expect(choose([template('de'), template('en_US'), template('fr')])).toBe('en_US of first');
    expect(choose([template('fr'), template('de')])).toBe(
      '400 template sale exists in several languages: choose one of de, fr with template_language',
    );
  });

  it('is the language asked for, else 404 naming the languages', () => {
    expect(choose([template('de'), template('en_US')], 'de')).toBe('de of first');
    expect(choose([template('fr'), template('de')], 'it')).toBe(
      '404 template sale was not found in it: it exists in de, fr',
    );
  });

  it('is the primary phone’s among several business accounts, else 400', () => {
    expect(choose([template('de', 'second'), template('de', 'first')])).toBe('de of first');
    expect(choose([template('de', 'second')])).toBe('de of second');
    expect(choose([template('de', 'second'), template('de', 'third')])).toBe(
      '400 template sale exists in several business accounts: choose one with waba_phone_id',
    );
  });

  it('refuses one that is not approved, naming its status (400)', () => {
    expect(() => checkApproved(template('de', 'first', 'REJECTED'))).toThrow(
      'template sale (de) is not approved: its status is REJECTED',
    );
    expect(() => checkApproved(template('de', 'first', 'PENDING'))).toThrow(
      'template sale (de) is not approved: its status is PENDING (the network says PAUSED)',
    );
    expect(() => checkApproved(template('de'))).not.toThrow();
  });
});
