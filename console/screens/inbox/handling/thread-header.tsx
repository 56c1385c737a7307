import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import { isOffline } from '../../../data/connection.js';
import { session } from '../../../data/session.js';
import { type Letters, useLetters } from '../../../frame/letters.js';
import { useSubject } from '../../../frame/page-title.js';
import { addressOf } from '../../../frame/route-match.js';
import { arrive, searchWith } from '../../../frame/router.js';
import { Icon } from '../../../parts/icon.js';
import { initialsOf } from '../../../parts/initials.js';
import { Notice } from '../../../parts/notice.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';
import { usePhones } from '../business-phones.js';
import { readableNumber } from '../list/readable-number.js';
import type { OpenThread } from '../open-thread.js';
import { isPersonShown } from '../person/person-shown.js';
import { givenName, personName } from '../person-name.js';
import { Assignee } from './assignee.js';
import { HandOver } from './hand-over.js';
import { HeaderButton } from './header-button.js';
import { useReadReceipts } from './use-read-receipts.js';
import { useWork } from './use-work.js';
import { useHasAgents } from './work-api.js';

/** Who it is, who has the conversation, and what one does with it. */
export function ThreadHeader({ thread }: { thread: OpenThread }) {
  const conversation = thread.conversation.value;
  const { key } = thread;
  const number = readableNumber(conversation?.phone_number ?? key.contact);
  const name = conversation === undefined ? number : personName(conversation);
  useSubject(conversation === undefined ? null : name);
  useReadReceipts(thread);
  // Asked here, so that the answer comes with the record.
  const hasAgents = useHasAgents();
  const isThere = conversation !== undefined || thread.error.value !== null;
  useLayoutEffect(() => {
    if (isThere) arrive();
  }, [isThere]);
  return (
    <header class="thread-head">
      <div class="thread-line">
        <a
          class="btn icon quiet back"
          href={addressOf(accountId.value, 'inbox') + searchWith({})}
          aria-label={inboxWorkWords.back}
        >
          <Icon name="left" />
        </a>
        <span class="avatar lg" aria-hidden="true">
          {initialsOf(givenName(conversation?.contact_name ?? '') ?? '') || <Icon name="user" />}
        </span>
        <div class="grow">
          <h1 id="who" class="cut" tabIndex={-1} dir="auto">
            {name}
          </h1>
          <Numbers person={number} phone={key.phone} />
        </div>
        {conversation !== undefined && <Actions thread={thread} hasAgents={hasAgents} />}
        <DetailsButton />
      </div>
    </header>
  );
}

/** The person’s number, and to which of ours they write. Where there is little room, only what the page needs most. */
function Numbers({ person, phone: id }: { person: string; phone: string }) {
  const phones = usePhones().value.data ?? [];
  const phone = phones.find(({ waba_phone_id }) => waba_phone_id === id);
  if (phone === undefined) {
    return (
      <p class="faint xs num numbers">
        <bdi>{person}</bdi>
      </p>
    );
  }
  const isOne = phones.length === 1;
  const ours = inboxWorkWords.to(readableNumber(phone.phone));
  return (
    <p class="faint xs num numbers">
      <span class={isOne ? undefined : 'wide'}>
        <bdi>{person}</bdi>
      </span>
      <span class={isOne ? 'wide' : undefined} title={ours}>
        <span class="wide"> · </span>
        <bdi>{ours}</bdi>
      </span>
    </p>
  );
}

/** Opens the person, where there is no place for them beside the thread. */
function DetailsButton() {
  useEffect(
    () => () => {
      isPersonShown.value = false;
    },
    [],
  );
  return (
    <HeaderButton
      class="details"
      icon="info"
      label={inboxWorkWords.details}
      isPressed={isPersonShown.value}
      onPress={() => {
        isPersonShown.value = !isPersonShown.value;
      }}
    />
  );
}

interface ActionsProps {
  readonly thread: OpenThread;
  /** Whether there is anybody who could have the conversation. */
  readonly hasAgents: boolean;
}

function Actions({ thread, hasAgents }: ActionsProps) {
  const { letters, take, takeFrom, resolve, reopen } = inboxWorkWords;
  const conversation = thread.conversation.value;
  const work = useWork(thread);
  const [isListOpen, asks] = [useSignal(false), useSignal(false)];
  const mayWrite = session.value?.scopes.includes('conversations:write') ?? false;
  const isResolved = conversation?.status === 'resolved';
  const isMine = conversation?.assigned_to === session.value?.user.user_id;
  const only = (isPossible: boolean, press: () => unknown) => () => {
    if (mayWrite && isPossible) void press();
  };
  const openList = (): void => {
    isListOpen.value = true;
  };
  const ofAgents: Letters = {
    a: { label: letters.assign, press: only(!isResolved && !isOffline.value, openList) },
    A: { label: letters.take, press: only(!isResolved && !isMine, work.take) },
  };
  useLetters({
    ...(hasAgents ? ofAgents : {}),
    e: { label: letters.resolve, press: only(!isResolved, work.resolve) },
    o: { label: letters.reopen, press: only(isResolved, work.reopen) },
  });
  if (conversation === undefined || !mayWrite) return null;
  const isOff = work.isBusy || isOffline.value;
  const holder = conversation.assigned_to_name;
  return (
    <>
      {!isResolved && (
        <>
          {hasAgents && !isMine && (
            <HeaderButton
              class="take"
              letter="A"
              icon="plus"
              label={take}
              name={holder === null ? take : takeFrom(holder)}
              isOff={isOff}
              onPress={() => void work.take()}
            />
          )}
          {hasAgents && (
            <Assignee
              conversation={conversation}
              work={work}
              isOpen={isListOpen.value}
              setOpen={(isOpen) => {
                isListOpen.value = isOpen;
              }}
              onHandOver={() => {
                work.outcome.value = null;
                asks.value = true;
              }}
            />
          )}
          <HeaderButton icon="check" letter="e" label={resolve} isOff={isOff} onPress={() => void work.resolve()} />
        </>
      )}
      {isResolved && (
        <HeaderButton icon="refresh" letter="o" label={reopen} isOff={isOff} onPress={() => void work.reopen()} />
      )}
      {work.outcome.value !== null && !asks.value && (
        <div class="thread-outcome">
          <Notice kind={work.outcome.value.kind}>{work.outcome.value.text}</Notice>
        </div>
      )}
      {asks.value && (
        <HandOver
          conversation={conversation}
          work={work}
          onClose={() => {
            asks.value = false;
          }}
        />
      )}
    </>
  );
}
