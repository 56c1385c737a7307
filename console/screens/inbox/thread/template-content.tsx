import type { PreviewButton } from '../../../../clients/typescript/src/generated/schema.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { Message } from '../records.js';
import { hostOf, webAddress } from './format-text.js';
import { RichText } from './rich-text.js';
import { Tap } from './tap.js';

/** A template as the person sees it. A file in its header is a link, because it lies elsewhere. */
export function TemplateContent({ rendered }: { rendered: NonNullable<Message['rendered']> }) {
  const { header, body, footer, buttons } = rendered;
  const address = webAddress(header);
  return (
    <>
      {address !== null && (
        <p>
          <a class="link" href={address} target="_blank" rel="noopener noreferrer">
            {words.media.linked(hostOf(address))}
          </a>
        </p>
      )}
      {address === null && header !== null && (
        <p class="strong" dir="auto">
          {header}
        </p>
      )}
      <RichText text={body} />
      {footer !== null && (
        <p class="xs dim" dir="auto">
          {footer}
        </p>
      )}
      {buttons.map((button, place) => (
        <Tap
          key={`${place}`}
          icon={button.type === 'QUICK_REPLY' ? 'reply' : 'external'}
          text={[button.text, detailOf(button)].filter(Boolean).join(' · ')}
        />
      ))}
    </>
  );
}

function detailOf({ url, phone_number, coupon_code }: PreviewButton): string {
  if (phone_number !== undefined) return words.call(phone_number);
  return coupon_code === undefined ? (url ?? '') : words.code(coupon_code);
}
