import './lib/nonce.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import './design/tokens.css';
import './design/base.css';
import './design/components.css';
import './shell/shell.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSignedOut } from './api/client.ts';
import { queryClient } from './api/query-client.ts';
import { ErrorBoundary } from './design/error-boundary.tsx';
import { Toasts } from './design/toasts.tsx';
import { TooltipProvider } from './design/tooltip.tsx';
import { router } from './router.tsx';
import { goToSignIn } from './shell/go-to-sign-in.ts';

onSignedOut(() => goToSignIn(router, queryClient));

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider delayDuration={400}>
          <RouterProvider router={router} />
          <Toasts />
        </TooltipProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
);
