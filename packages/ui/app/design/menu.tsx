import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

export interface MenuItem {
  readonly label: string;
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  readonly danger?: boolean;
}

interface MenuProps {
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[];
  readonly label?: string;
  readonly empty?: string;
}

export function Menu({ trigger, items, label, empty }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          {label && <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label>}
          {items.length === 0 && empty && <DropdownMenu.Label className="menu-label">{empty}</DropdownMenu.Label>}
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.label}
              className={`menu-item${item.danger ? ' tone-bad' : ''}`}
              disabled={item.disabled}
              onSelect={item.onSelect}
            >
              {item.icon}
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
