import{a,b}from"./site-2.js";export{a as readerOf,b as renewToken};
