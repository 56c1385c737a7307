import { newRecordId } from '../../src/values/record-id.js';
import { Normaliser } from './samples.js';

const [SHOWN, OTHER] = ['019c1363-49c0-7680-92b3-4d37d5120a7f', '019c1363-49c0-776c-97b7-040df1797a11'] as const;

describe('the ids of a sample', () => {
  const [message, campaign] = [newRecordId(), newRecordId()];
  const recorded = { message_id: message, campaign_id: campaign };
  const shown = JSON.stringify({ message_id: SHOWN, campaign_id: OTHER });
  let normaliser: Normaliser;

  beforeEach(() => {
    normaliser = new Normaliser(new Date());
  });

  it('stay those that the page shows, in every sample', () => {
    expect(normaliser.normalise('one', recorded, shown)).toEqual(JSON.parse(shown));
    expect(normaliser.normalise('two', { campaign_id: campaign }, '')).toEqual({ campaign_id: OTHER });
  });

  it('differ where the page shows one id for two records, or two for one', () => {
    const same = JSON.stringify({ message_id: SHOWN, campaign_id: SHOWN });
    expect(normaliser.normalise('one', recorded, same)).not.toEqual(JSON.parse(same));
    const one = { message_id: message, campaign_id: message };
    expect(new Normaliser(new Date()).normalise('one', one, shown)).not.toEqual(JSON.parse(shown));
  });

  it('depend on nothing but the sample when it is new', () => {
    const fresh = normaliser.normalise('new', recorded, '');
    const later = new Normaliser(new Date());
    later.normalise('before', { id: newRecordId() }, '');
    expect(later.normalise('new', recorded, '')).toEqual(fresh);
  });
});
