import type { IconName } from '../design/icon.tsx';

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly status?: string;
  readonly hint?: string;
  readonly run: () => void;
}
