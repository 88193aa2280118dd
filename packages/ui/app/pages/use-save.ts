import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../design/toasts.tsx';

interface Save {
  /** The list that shows it. */
  readonly list: string;
  readonly done: string;
  readonly save: () => Promise<unknown>;
  readonly onDone: () => void;
}

/** A change of something that a list shows. */
export function useSave({ list, done, save, onDone }: Save): UseMutationResult<unknown, unknown, void> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: () => {
      showToast(done);
      void queries.invalidateQueries({ queryKey: ['list', list] });
      onDone();
    },
  });
}
