import { Component, type ReactNode } from 'react';
import { t } from '../messages/index.ts';
import { Problem } from './problem.tsx';

/** Keeps an error in the part of the page where it happened. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div className="stack">
        <h2>{t.failed}</h2>
        <Problem error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
      </div>
    );
  }
}
