import { useSignal } from '@preact/signals';
import { failureOf } from '../data/failure.js';
import { words } from '../words/en.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

interface LoadFailedProps {
  /** What should be here. */
  readonly what: string;
  readonly error: unknown;
  readonly retry: () => unknown;
}

/** In the place of what did not load: why, another attempt, and how an operator of Parley finds the request. */
export function LoadFailed({ what, error, retry }: LoadFailedProps) {
  const { text, requestId } = failureOf(error);
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(requestId ?? '');
    isCopied.value = true;
  };
  return (
    <div class="notice bad failed" role="alert">
      <Icon name="alert" />
      <div class="grow">
        <p>
          {words.states.failed(what)} {text}
        </p>
        {requestId !== null && (
          <p class="xs dim request">
            <bdi>{words.states.request(requestId)}</bdi>
            <button class="link" type="button" onClick={copy}>
              {isCopied.value ? words.states.copied : words.states.copy}
            </button>
          </p>
        )}
      </div>
      <Button onPress={() => void retry()}>{words.states.retry}</Button>
    </div>
  );
}
