import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLetters } from '../../frame/letters.js';
import { words } from '../../words/en.js';
import type { Campaign } from './campaign-types.js';
import { stateOf, turningPoint } from './turning-points.js';

/** Says turning points aloud, and the state on demand; figures that count on are not announced. */
export function Announcer({ campaign }: { campaign: Campaign }) {
  const said = useSignal('');
  const before = useRef(campaign);
  const say = (text: string): void => {
    // The same text again is only read if it differs.
    said.value = said.value === text ? `${text}\u00a0` : text;
  };
  useEffect(() => {
    const text = turningPoint(before.current, campaign);
    before.current = campaign;
    if (text !== null) say(text);
  }, [campaign]);
  useLetters({ s: { label: words.campaign.keys.state, press: () => say(stateOf(campaign)) } });
  return (
    <p class="hide" role="status">
      {said.value}
    </p>
  );
}
