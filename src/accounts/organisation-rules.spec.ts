import { changedSettings, contradictoryWord, type OrganisationSettings } from './organisation-rules.js';

const PRESENT: OrganisationSettings = {
  autoInbound: false,
  autoReply: 'We are back at nine.',
  autoReplyUserId: 'someone',
  stopWords: ['STOP', 'OPT OUT'],
  startWords: ['START'],
};

describe('organisation settings', () => {
  it('keeps settings that a change does not mention', () => {
    expect(changedSettings(PRESENT, { autoInbound: true })).toEqual({ ...PRESENT, autoInbound: true });
  });

  it('clears the agent of the automatic reply when the reply is turned off', () => {
    expect(changedSettings(PRESENT, { autoReply: null })).toMatchObject({ autoReply: null, autoReplyUserId: null });
    expect(changedSettings(PRESENT, { autoReply: 'Hello' })).toMatchObject({ autoReplyUserId: 'someone' });
  });

  it('stores words in upper case without duplicates', () => {
    expect(changedSettings(PRESENT, { stopWords: [' stop', 'Stop', 'ende'] }).stopWords).toEqual(['STOP', 'ENDE']);
  });

  it('finds a keyword that is in both lists, ignoring case', () => {
    expect(contradictoryWord(PRESENT)).toBeUndefined();
    expect(contradictoryWord(changedSettings(PRESENT, { startWords: ['yes', 'stop'] }))).toBe('STOP');
  });
});
