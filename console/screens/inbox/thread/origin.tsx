import { Icon } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { Message } from '../records.js';
import { webAddress } from './format-text.js';

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Where a message comes from: an advertisement, another chat, a product. */
export function Origin({ message: { referral, context } }: { message: Message }) {
  const product = text(context?.referred_product?.['product_retailer_id']);
  return (
    <>
      {referral !== undefined && <Referral referral={referral} />}
      {context?.forwarded === true && (
        <p class="by">
          <Icon name="right" />
          {context.frequently_forwarded ? words.forwardedOften : words.forwarded}
        </p>
      )}
      {product !== null && (
        <p class="by" dir="auto">
          {words.product(product)}
        </p>
      )}
    </>
  );
}

function Referral({ referral }: { referral: NonNullable<Message['referral']> }) {
  const [headline, body] = [text(referral['headline']), text(referral['body'])];
  const address = webAddress(referral['source_url']);
  return (
    <div class="inset">
      <p class="by">
        <Icon name="campaign" />
        {referral['source_type'] === 'post' ? words.postFrom : words.adFrom}
      </p>
      {headline !== null && (
        <p class="strong" dir="auto">
          {headline}
        </p>
      )}
      {body !== null && (
        <p class="sm" dir="auto">
          {body}
        </p>
      )}
      {address !== null && (
        <a class="link" href={address} target="_blank" rel="noopener noreferrer">
          {words.adLink}
        </a>
      )}
    </div>
  );
}
