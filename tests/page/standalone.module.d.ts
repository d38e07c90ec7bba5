// What the vendored file of Preact and htm exports, as far as the page uses it.
export const Component: any, createContext: any, h: any, html: any, render: any, useErrorBoundary: any;
export function useState<T>(first: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(first: T): { current: T };
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useCallback<T>(call: T, inputs: readonly unknown[]): T;
export function useContext(context: any): any;
