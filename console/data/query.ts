import { type Signal, useSignal } from '@preact/signals';
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  QueryObserver,
  type QueryObserverResult,
} from '@tanstack/query-core';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isOffline } from './connection.js';

/** How long an answer counts as fresh, milliseconds: screens that are visited again soon ask nothing. */
const FRESH_MS = 10_000;

/** Without a connection, what is outdated is only noted: all of it is read again when the connection is back. */
class Queries extends QueryClient {
  override invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    return super.invalidateQueries(isOffline.peek() ? { ...filters, refetchType: 'none' } : filters, options);
  }
}

const whileConnected = (): boolean => !isOffline.peek();

/**
 * What was read from Parley, for as long as the page lives. The client of the API repeats requests itself, and the
 * frame says when there is no connection.
 */
export const queries: QueryClient = new Queries({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: FRESH_MS,
      networkMode: 'always',
      refetchOnMount: whileConnected,
      refetchOnWindowFocus: whileConnected,
      refetchOnReconnect: false,
    },
  },
});
queries.mount();

interface QueryOptions {
  /** Whether what was read stays true: it is not read again. */
  readonly isFixed?: boolean;
}

/**
 * Reads something and keeps it up to date while a part shows it.
 *
 * @param key names it, with the account where it belongs to one
 */
export function useQuery<T>(
  key: readonly string[],
  read: (signal: AbortSignal) => Promise<T>,
  { isFixed = false }: QueryOptions = {},
): Signal<QueryObserverResult<T>> {
  const name = key.join('\n');
  const observer = useMemo(
    () =>
      new QueryObserver<T>(queries, {
        queryKey: key,
        queryFn: ({ signal }) => read(signal),
        ...(isFixed && { staleTime: 'static' as const }),
      }),
    [name],
  );
  const result = useSignal(observer.getCurrentResult());
  const shown = useRef(observer);
  // What was read under another key is never shown under this one.
  if (shown.current !== observer) {
    shown.current = observer;
    result.value = observer.getCurrentResult();
  }
  useEffect(() => {
    result.value = observer.getCurrentResult();
    return observer.subscribe((next) => {
      result.value = next;
    });
  }, [observer]);
  return result;
}
