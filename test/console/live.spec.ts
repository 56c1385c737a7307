import { BackOff } from '../../console/data/back-off.js';
import { MAX_TOPICS, ShownTopics, topicOf } from '../../console/data/shown-topics.js';

describe('the wait before another attempt', () => {
  it('doubles up to 15 seconds, and begins anew after a good one', () => {
    const backOff = new BackOff(() => 1);
    expect(Array.from({ length: 7 }, () => backOff.next())).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    backOff.reset();
    expect(backOff.next()).toBe(500);
  });

  it('is spread, and is never shorter than the service demands', () => {
    expect(new BackOff(() => 0).next()).toBe(250);
    expect(new BackOff(() => 0.5).next(30_000)).toBe(30_375);
  });
});

describe('the topics of a stream', () => {
  const shown = (...tabs: readonly (readonly string[])[]): ShownTopics => {
    const topics = new ShownTopics();
    for (const [index, each] of tabs.entries()) topics.show(`tab ${index}`, each, 0);
    return topics;
  };

  it('are those of all visible tabs, each once', () => {
    const topics = shown(['campaigns'], ['campaign:b', 'campaigns'], []);
    expect(topics.wanted()).toEqual(['campaign:b', 'campaigns']);
    topics.hide('tab 1');
    expect([topics.wanted(), topics.count]).toEqual([['campaigns'], 2]);
  });

  it('are never none: the stream also tells when a session ends', () => {
    expect(shown([]).wanted()).toEqual(['badges']);
    expect(new ShownTopics().wanted()).toEqual(['badges']);
  });

  it('are at most as many as the service takes', () => {
    const many = Array.from({ length: MAX_TOPICS + 3 }, (_, index) => `campaign:${String(index).padStart(2, '0')}`);
    expect(shown(many).wanted()).toEqual(many.slice(0, MAX_TOPICS));
  });

  it('tell which of them a tab shows for the first time', () => {
    const topics = new ShownTopics();
    expect(topics.show('a', ['campaigns'], 0)).toEqual(['campaigns']);
    expect(topics.show('a', ['campaigns', 'campaign:x'], 1)).toEqual(['campaign:x']);
    expect(topics.show('b', ['campaigns'], 1)).toEqual(['campaigns']);
    topics.hide('a');
    expect(topics.show('a', ['campaigns'], 2)).toEqual(['campaigns']);
  });

  it('forget tabs that nobody has heard of for long', () => {
    const topics = new ShownTopics();
    topics.show('a', ['campaign:a'], 0);
    topics.show('b', ['campaign:b'], 10);
    topics.dropSilent(5);
    expect([topics.wanted(), topics.hasOther('b')]).toEqual([['campaign:b'], false]);
  });

  it('leave out the last one that the service never sent when it refuses them', () => {
    const topics = shown(['campaigns', 'campaign:gone', 'campaign:kept']);
    topics.sent('campaigns');
    topics.sent('campaign:kept');
    expect(topics.refuse()).toBe(true);
    expect(topics.wanted()).toEqual(['campaign:kept', 'campaigns']);
    expect(topics.refuse()).toBe(false);
    // Once it is shown again, it is asked for again.
    topics.show('tab 0', ['campaigns'], 1);
    topics.show('tab 0', ['campaigns', 'campaign:gone'], 2);
    expect(topics.wanted()).toEqual(['campaign:gone', 'campaigns']);
  });

  it.each([
    ['campaign', { campaign_id: 'a' }, 'campaign:a'],
    ['campaign', {}, 'campaign'],
    ['campaigns', { campaigns: [] }, 'campaigns'],
    ['badges', null, 'badges'],
  ])('are told by the event: %s %j', (event, data, topic) => {
    expect(topicOf(event, data)).toBe(topic);
  });
});
