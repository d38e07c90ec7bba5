// What builds the page: Preact with htm, vendored as one file.
export {
  Component, createContext, h, html, render, useCallback, useContext, useEffect, useErrorBoundary, useLayoutEffect,
  useMemo, useRef, useState,
} from "../vendor/standalone.module.js";
