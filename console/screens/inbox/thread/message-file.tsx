import { useSignal } from '@preact/signals';
import { accountId } from '../../../data/account.js';
import { Icon } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { Message } from '../records.js';
import { hostOf, webAddress } from './format-text.js';

type Media = NonNullable<Message['media']>;

interface MessageFileProps {
  readonly message: Message;
  readonly media: Media;
}

/** The file of a message; where there is none, what became of it. */
export function MessageFile({ message, media }: MessageFileProps) {
  const { status, url, link } = media;
  const kind = kindOf(message.message_type, media);
  // How often somebody has asked for it, which makes each attempt a new one.
  const [attempt, hasFailed] = [useSignal(0), useSignal(false)];
  const address = webAddress(link);
  if (address !== null) return <LinkedFile kind={kind} name={media.filename} address={address} />;
  const load = (): void => {
    attempt.value += 1;
    hasFailed.value = false;
  };
  if (url === undefined || status === 'gone') return <NoFile text={words.media.gone(kind)} />;
  if (status === 'too_large') return <NoFile text={words.media.tooLarge(kind)} />;
  if (status === 'refused') return <NoFile text={words.media.refused(kind)} />;
  if (status === 'pending' && attempt.value === 0) {
    return <NoFile text={words.media.pending(kind)} label={words.media.load} act={load} />;
  }
  if (hasFailed.value) return <NoFile text={words.media.failed(kind)} label={words.retry} act={load} />;
  const source = sourceOf(url, attempt.value);
  const fail = (): void => {
    hasFailed.value = true;
  };
  return <StoredFile key={source} type={message.message_type} {...{ kind, media, source, fail }} />;
}

function kindOf(type: string, { voice }: Media): string {
  return words.kinds[voice ? 'voice' : type] ?? words.otherKind;
}

/** Media are asked for by the browser itself, which names the account in the address. */
function sourceOf(url: string, attempt: number): string {
  const query = new URLSearchParams({ account: accountId.value ?? '', ...(attempt > 1 && { attempt: `${attempt}` }) });
  return `${url}?${query}`;
}

interface StoredFileProps {
  readonly type: string;
  readonly kind: string;
  readonly media: Media;
  readonly source: string;
  readonly fail: () => void;
}

function StoredFile({ type, kind, media, source, fail }: StoredFileProps) {
  switch (type) {
    case 'image':
      return (
        <a class="photo" href={source} target="_blank" rel="noopener" title={words.media.open(kind)}>
          <img src={source} alt={kind} loading="lazy" decoding="async" onError={fail} />
        </a>
      );
    case 'sticker':
      return <img class="sticker" src={source} alt={kind} loading="lazy" decoding="async" onError={fail} />;
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: nobody has captions for what people send
      return <video class="film" src={source} controls preload="metadata" aria-label={kind} onError={fail} />;
    case 'audio':
      return (
        <div class="sound">
          {media.voice && <span class="xs dim">{kind}</span>}
          {/* biome-ignore lint/a11y/useMediaCaption: nobody has captions for what people send */}
          <audio src={source} controls preload="none" aria-label={kind} onError={fail} />
        </div>
      );
    default:
      return (
        <a class="file" href={source} download={media.filename ?? true}>
          <Icon name="download" />
          <span class="grow">
            <bdi class="strong">{media.filename ?? kind}</bdi>
            <span class="xs dim num">
              {[words.media.download, media.size === null ? '' : words.media.size(media.size)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
        </a>
      );
  }
}

/** A file that was sent by its address. Nothing of another server is loaded. */
function LinkedFile({ kind, name, address }: { kind: string; name: string | null; address: string }) {
  return (
    <a class="file" href={address} target="_blank" rel="noopener noreferrer">
      <Icon name="external" />
      <span class="grow">
        <bdi class="strong">{name ?? kind}</bdi>
        <span class="xs dim">{words.media.linked(hostOf(address))}</span>
      </span>
    </a>
  );
}

function NoFile({ text, label, act }: { text: string; label?: string; act?: () => void }) {
  return (
    <p class="no-file">
      <Icon name="clip" />
      <span>{text}</span>
      {act !== undefined && (
        <button class="link" type="button" onClick={act}>
          {label}
        </button>
      )}
    </p>
  );
}
