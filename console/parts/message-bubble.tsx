import { Icon } from './icon.js';
import type { ShownMessage, TextPiece } from './shown-message.js';

interface MessageBubbleProps {
  readonly message: ShownMessage;
  /** When it was sent; null before. */
  readonly at: string | null;
}

/** A message as the phone shows it. */
export function MessageBubble({ message, at }: MessageBubbleProps) {
  const { title, media, offer, body, footer, buttons, cards } = message;
  return (
    <div class="phone">
      <div class="paper">
        {media !== null && (
          <p class="media" dir="auto">
            {media}
          </p>
        )}
        <div class="text">
          {title.length > 0 && (
            <p class="title" dir="auto">
              <Text pieces={title} />
            </p>
          )}
          {offer !== null && (
            <p class="title" dir="auto">
              {offer}
            </p>
          )}
          <p dir="auto">
            <Text pieces={body} />
          </p>
          <p class="foot">
            <span dir="auto">{footer}</span>
            <span class="num">{at}</span>
          </p>
        </div>
        {buttons.map(({ text, isReply }, place) => (
          <p key={`${place} ${text}`} class="tap">
            <Icon name={isReply ? 'reply' : 'external'} />
            <span class="cut" dir="auto">
              {text}
            </span>
          </p>
        ))}
        {cards !== null && <p class="tap">{cards}</p>}
      </div>
    </div>
  );
}

function Text({ pieces }: { pieces: readonly TextPiece[] }) {
  return (
    <>
      {pieces.map(({ text, isFilled }, place) =>
        isFilled ? (
          <mark key={`${place}`}>
            <bdi>{text}</bdi>
          </mark>
        ) : (
          text
        ),
      )}
    </>
  );
}
